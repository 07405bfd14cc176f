import Foundation

/// Finds the file of a program.
package enum ProgramFile {
  /// Returns the file of a path from `folder`, or of a name in the environment's `PATH`; `nil` if
  /// there is none.
  package static func path(
    of name: String, in folder: URL = URL(fileURLWithPath: ""),
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    if name.contains("/") {
      let path = folder.resolving(name).path
      return isProgram(path) ? path : nil
    }
    guard !name.isEmpty else { return nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Returns the file of another program of this package: beside this one, or where a variable such
  /// as `CHOIR_HOST` says.
  package static func companion(_ name: String) -> String? {
    let variable = name.uppercased().replacing("-", with: "_")
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let beside = own.deletingLastPathComponent().appendingPathComponent(name).path
    let path = ChildEnvironment.ofThisProcess[variable] ?? beside
    return isProgram(path) ? path : nil
  }

  private static func isProgram(_ path: String) -> Bool {
    FileStatus(path)?.isFolder == false && FileManager.default.isExecutableFile(atPath: path)
  }
}

/// The environment of a program under test: a few variables that every program needs, and those that
/// the subject's file names.
package enum ChildEnvironment {
  /// Variables for the paths of programs, home and temporary files, and for the locale.
  static let names = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "LC_NUMERIC",
  ]

  /// The variables of `names` that are set.
  package static var passedOn: [String: String] { ofThisProcess.filter { names.contains($0.key) } }

  /// All variables, for programs of this package.
  package static var ofThisProcess: [String: String] { ProcessInfo.processInfo.environment }
}
