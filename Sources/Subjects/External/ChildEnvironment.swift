import Foundation

/// The environment variables that a program under test gets: a few that every program needs, and those
/// that the subject's file names.
package enum ChildEnvironment {
  /// Where programs, home and scratch files are, and how to speak.
  static let names = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "LC_NUMERIC",
  ]

  /// Those of `names` that are set.
  package static var passedOn: [String: String] { ofThisProcess.filter { names.contains($0.key) } }

  /// Everything, for programs of this package.
  package static var ofThisProcess: [String: String] { ProcessInfo.processInfo.environment }
}

/// A program as a command names it.
package enum ProgramFile {
  /// The file: a path from `folder`, or a name that the environment's `PATH` knows.
  package static func path(
    of name: String, in folder: URL, _ environment: [String: String]
  ) -> String? {
    if name.contains("/") {
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      return isProgram(path) ? path : nil
    }
    guard !name.isEmpty else { return nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
