import Foundation
import TestSupport
import Testing

/// Files are opened, written and locked in one place each, where `ForeignFilesTests`, `GivenFileTests`
/// and `WholeFileTests` hold the rules: no command waits for a pipe or for a lock that another user may
/// hold, follows what another user left, or leaves half a file. This suite finds other places.
@Suite struct FileAccessTests {
  struct Rule: CustomTestStringConvertible {
    /// A regular expression.
    var calls: String
    var use: String
    /// Ends of the paths of the files that hold the rule, or need none because they open what this
    /// toolkit made.
    var places: Set<String>

    var testDescription: String { use }
  }

  static let rules = [
    Rule(
      calls:
        #"Data\(\s*contentsOf|String\(\s*contentsOf|forReading(From|AtPath)|contents\(atPath|InputStream\("#,
      use: "GivenFile",
      places: [
        "Files/Digest.swift", "choir-host/ChoirHost.swift", "choir-host/PluginSession.swift",
      ]),
    Rule(calls: #"options: \.atomic|atomically:"#, use: "WholeFile", places: []),
    Rule(
      calls: #"\bflock\(|lockf\(|\bFileLock\("#, use: "FolderLock",
      places: [
        "Files/FileLock.swift", "Files/Scratch.swift", "Files/Draft.swift",
        "Revisions/FolderUse.swift",
      ]),
    Rule(
      calls: #"temporaryDirectory|NSTemporaryDirectory|mkdtemp|mkstemp"#, use: "ScratchFolder",
      places: ["Files/Scratch.swift"]),
    Rule(
      calls: #"O_CREAT|O_RDONLY"#, use: "GivenFile or WholeFile",
      places: [
        "Files/FileLock.swift", "Files/GivenFile.swift", "Files/Scratch.swift",
        "Files/WholeFile.swift", "Processes/ChildProcess.swift",
        "Processes/SupervisedConnection.swift", "CommandSupport/Console/StandardOutput.swift",
        "Projects/ProjectLibrary.swift", "Revisions/FolderUse.swift",
      ]),
    Rule(
      calls: #"Database(Queue|Pool)\(path"#, use: "ResultStore",
      places: ["Sweep/Store/StoreOpening.swift"]),
  ]

  @Test(arguments: rules) func filesAreTouchedInOnePlace(rule: Rule) throws {
    let call = try Regex(rule.calls)
    let top = Repository.file("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: top.path)
    for path in paths.sorted()
    where path.hasSuffix(".swift")
      && !rule.places.contains(where: { ("/" + path).hasSuffix("/" + $0) })
    {
      let text = try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
      for (index, line) in text.components(separatedBy: "\n").enumerated()
      where line.contains(call) && !line.drop(while: { $0 == " " }).hasPrefix("//") {
        Issue.record("\(path):\(index + 1) touches a file by itself; use \(rule.use)")
      }
    }
  }
}
