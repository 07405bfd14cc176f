import Foundation

/// Programs that are found as a shell would find them.
enum Executable {
  /// The first of several names or paths that can be run.
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
