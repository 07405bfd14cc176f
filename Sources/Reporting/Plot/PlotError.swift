/// Why a figure could not be drawn.
public enum PlotError: Error, Equatable, CustomStringConvertible {
  case gnuplotMissing(String)
  case gnuplotFailed(script: String, message: String)
  case cannotWrite(String)
  case noOutput(String)
  case nothingToDraw(String)

  public var description: String {
    switch self {
    case .gnuplotMissing(let name):
      "\(name) was not found; on Debian: apt-get install gnuplot-nox"
    case .gnuplotFailed(let script, let message):
      "gnuplot could not draw \(script): \(message)"
    case .cannotWrite(let path):
      "cannot write \(path); is the folder there, writable, and the disk not full?"
    case .noOutput(let path):
      "gnuplot ended well but left no readable \(path)"
    case .nothingToDraw(let id):
      "figure \(id) has no number to draw; leave it out and say why in the text"
    }
  }
}
