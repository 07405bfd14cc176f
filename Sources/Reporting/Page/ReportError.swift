/// Why a report could not be written. Nothing is left behind, and a report that stood there before
/// still does.
public enum ReportError: Error, Equatable, CustomStringConvertible {
  case badId(String)
  case duplicateId(String)
  case soundMissing(clip: String, path: String)
  case notAReport(String)
  case cannotWrite(String, message: String)
  case browserMissing(String)
  case cannotPrint(String, message: String)

  public var description: String {
    switch self {
    case .badId(let id):
      "\"\(id)\" cannot name a file; use lower-case letters, digits and hyphens"
    case .duplicateId(let id):
      "\"\(id)\" names two parts of the report; each needs its own"
    case .soundMissing(let clip, let path):
      "clip \(clip) has no sound at \(path)"
    case .notAReport(let path):
      "\(path) holds something other than a report and is left alone; choose another folder"
    case .browserMissing(let name):
      "\(name) was not found, and a PDF is printed by it; on Debian: apt-get install chromium"
    case .cannotPrint(let path, let message):
      "cannot print \(path): \(message)"
    case .cannotWrite(let path, let message):
      "cannot write the report at \(path): \(message)"
    }
  }
}
