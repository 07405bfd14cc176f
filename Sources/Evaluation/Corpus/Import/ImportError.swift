import Foundation
import Platform

/// A failed import or addition of a recording. The corpus is unchanged.
public enum ImportError: Error, Equatable, CustomStringConvertible {
  case unknownDataset(name: String, known: [String])
  case noSuchPlace(path: String)
  /// The path does not contain the files of the data set.
  case notThisDataset(name: String, path: String, expected: [String], found: [String])
  /// No clip could be imported; has the reasons for the first few.
  case nothingImported(name: String, reasons: [String])
  case sameID(id: String, first: String, second: String)
  case fileInTheWay(path: String)
  case idTaken(id: String)
  /// Sound and annotations are those of another recording.
  case sameSound(id: String, as: String)
  case row(problem: String)
  case write(path: String, cause: Cause)

  public var description: String {
    switch self {
    case .unknownDataset(let name, let known):
      "there is no importer for '\(name)'; choose one of \(known.joined(separator: ", "))"
    case .noSuchPlace(let path): "\(path) is no folder; check the path, and unpack an archive first"
    case .notThisDataset(let name, let path, let expected, let found):
      "\(path) does not look like \(name): expected \(expected.joined(separator: " and ")) in it "
        + "or at most three folders down; found "
        + (found.isEmpty ? "nothing" : found.joined(separator: ", "))
    case .nothingImported(let name, let reasons):
      "no recording of \(name) could be imported: \(reasons.joined(separator: "; "))"
    case .sameID(let id, let first, let second):
      "\(first) and \(second) would both get the id '\(id)'; rename one"
    case .fileInTheWay(let path):
      "\(path) exists and is not in the manifest; move it away (corpus verify lists such files)"
    case .idTaken(let id): "the corpus has a recording '\(id)' already; choose another with --id"
    case .sameSound(let id, let other):
      "'\(id)' has the same sound and annotations as '\(other)', and would share all its results; "
        + "keep one of them"
    case .row(let problem): problem
    case .write(let path, let cause):
      "\(path) could not be written: \(Self.reason(cause.error)); the corpus is unchanged"
    }
  }

  /// The system's words for a failed write, which are shorter than its whole error.
  private static func reason(_ error: any Error) -> String {
    (error as NSError).localizedFailureReason ?? "\(error)"
  }
}
