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

  /// The most memory that sound takes, beyond what the program takes without it.
  ///
  /// - Parameter arguments: as of `CountedCost`; no seconds make nothing.
  static func peakMemoryMB(running arguments: [String]) throws -> Double {
    func peak(_ seconds: String) throws -> Double {
      try ChildProcess(
        arguments: [path] + arguments + [seconds], timeoutSeconds: 60, memoryMB: 65_536,
        folder: folder
      ).run().peakMemoryMB
    }
    return max(0, try peak("1") - peak("0"))
  }
}
