import Foundation

/// The working tree that the tests were built from.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// - Parameter path: relative to the root.
  package static func file(_ path: String) -> URL { root.appendingPathComponent(path) }
}
