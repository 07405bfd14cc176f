import Foundation

/// What came with the program, found from any folder: corpus, plans, scores, subjects and gates.
///
/// It lies in `share/choir-eval` beside the `bin` that has the program, or where an archive was
/// unpacked, in the folder that has `bin`.
enum Installation {
  /// The corpus of the present folder, if it has one; else the installed one.
  static let corpus = corpus(here: "Corpus", program: program)

  /// The file as it was named; where there is none, the installed one of that name.
  ///
  /// `Corpus/plans/demo.yaml` is found so from anywhere.
  static func file(_ path: String) -> String { file(path, program: program) }

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
      .deletingLastPathComponent().path
    return ["\(folder)/share/choir-eval", folder]
  }

  private static func holdsManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/manifest.csv")
  }

  /// Links resolved: one in /usr/local/bin may point to an unpacked archive.
  private static let program = realpath("/proc/self/exe", nil).map { path in
    defer { free(path) }
    return String(cString: path)
  }
}
