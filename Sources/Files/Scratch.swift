import Foundation

/// The folder for files that a command needs only while it works.
///
/// It lies in the system's temporary folder and is removed when the process ends. The leftovers of a
/// killed process are removed by the next process that needs such a folder.
public enum Scratch {
  public static var folder: URL { draft?.folder ?? system }

  /// Returns a new URL in the folder, for a file or a folder.
  ///
  /// - Parameter ending: ends the name, such as `.err`.
  public static func url(ending: String = "") -> URL {
    folder.appendingPathComponent("choir-eval-\(UUID().uuidString)\(ending)")
  }

  private static var system: URL { FileManager.default.temporaryDirectory }

  private static let draft: Draft? = {
    let draft = try? Draft("choir-eval", in: system, of: system)
    atexit { Scratch.draft?.discard() }
    return draft
  }()
}
