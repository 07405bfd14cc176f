import Foundation

/// Search for programs as in a shell.
enum Executable {
  /// Returns the first of several names or paths that is executable.
  static func locate(_ programs: [String]) -> URL? {
    programs.lazy.compactMap(locate).first
  }

  private static func locate(_ program: String) -> URL? {
    let folders =
      program.contains("/")
      ? [""]
      : (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/" }
    return folders.map { $0 + program }.first(where: FileManager.default.isExecutableFile)
      .map { URL(fileURLWithPath: $0) }
  }
}
