import Foundation

/// This program, to be run as its own child: figures of a whole process need one without other work.
public enum SelfProcess {
  /// The path of the executable.
  public static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
  }

  static var folder: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }
}
