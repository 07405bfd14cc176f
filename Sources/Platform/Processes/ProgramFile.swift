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
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
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
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
