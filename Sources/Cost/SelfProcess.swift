import Foundation

/// This program as a child of itself: what can only be known of a whole process is known of one that
/// does nothing else.
public enum SelfProcess {
  /// Of the executable.
  public static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
  }

  static var folder: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }
}
