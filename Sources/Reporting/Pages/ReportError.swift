/// A report that could not be written. No partial report remains, and an earlier one is unchanged.
package enum ReportError: Error, Equatable, CustomStringConvertible {
  case badId(String)
  case duplicateId(String)
  case soundMissing(clip: String, path: String)
  case notAReport(String)
  /// A report with files that it was not written with, or that were changed since.
  case holdsOwnFiles(String, [String])
  case cannotWrite(String, message: String)

  package var description: String {
    switch self {
    case .badId(let id):
      "the id \"\(id)\" cannot name a file; use lower-case letters, digits and hyphens"
    case .duplicateId(let id):
      "the id \"\(id)\" names two parts of the report; give each its own"
    case .soundMissing(let clip, let path):
      "clip \(clip) has no sound at \(path); run the plan again to render it"
    case .notAReport(let path):
      "\(path) holds something other than a report and is left unchanged; choose another folder"
    case .holdsOwnFiles(let path, let files):
      "the report at \(path) holds files of your own, which a new report would replace: "
        + files.prefix(3).joined(separator: ", ")
        + (files.count > 3 ? " and \(files.count - 3) more" : "")
        + "; move them, or choose another folder"
    case .cannotWrite(let path, let message):
      "the report at \(path) could not be written: \(message)"
    }
  }
}
