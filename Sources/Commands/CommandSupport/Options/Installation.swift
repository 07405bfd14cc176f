import Foundation

/// Files that belong to the program, found from any folder: corpus, plans, scores, subjects, gates.
///
/// They lie in `share/choir-eval` beside the program's `bin`, or in a folder above the program: that of an
/// unpacked archive, or the clone in which it was built.
package enum Installation {
  /// The corpus of the current folder if it has one, else the installed one.
  package static let corpus = corpus(here: "Corpus", program: program)

  /// Returns the path as given, or the installed file of that name if there is none.
  ///
  /// `Corpus/plans/demo.yaml` is found this way from any folder.
  package static func file(_ path: String) -> String { file(path, program: program) }

  static func corpus(here: String, program: String?) -> String {
    guard !holdsManifest(here) else { return here }
    return roots(of: program).map { "\($0)/Corpus" }.first(where: holdsManifest) ?? here
  }

  static func file(_ path: String, program: String?) -> String {
    guard !path.hasPrefix("/"), !FileManager.default.fileExists(atPath: path) else { return path }
    return roots(of: program).map { "\($0)/\(path)" }
      .first(where: FileManager.default.fileExists) ?? path
  }

  private static func roots(of program: String?) -> [String] {
    guard let program else { return [] }
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let above = sequence(first: folder.deletingLastPathComponent()) { folder in
      folder.path == "/" ? nil : folder.deletingLastPathComponent()
    }.map(\.path)
    return ["\(above[0])/share/choir-eval"] + above
  }

  private static func holdsManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/manifest.csv")
  }

  /// Path of the running program with links resolved: /usr/local/bin may link to an archive.
  private static let program = realpath("/proc/self/exe", nil).map { path in
    defer { free(path) }
    return String(cString: path)
  }
}
