import Platform

/// A figure that could not be drawn.
package enum PlotError: Error, Equatable, CustomStringConvertible {
  case gnuplotMissing(String)
  case gnuplotFailed(script: String, message: String)
  case gnuplotNotStarted(script: String, cause: Cause)
  case cannotWrite(String)
  case noOutput(String)
  case nothingToDraw(String)

  package var description: String {
    switch self {
    case .gnuplotMissing(let name):
      "\(name), which draws the figures, was not found; install it, on Debian: "
        + "apt-get install gnuplot-nox"
    case .gnuplotNotStarted(let script, let cause):
      "gnuplot could not draw \(script): \(cause)"
    case .gnuplotFailed(let script, let message):
      "gnuplot could not draw \(script): \(message)"
    case .cannotWrite(let path):
      "\(path) could not be written; check the folder, its permissions and the free space"
    case .noOutput(let path):
      "gnuplot wrote no readable \(path); check the free space and gnuplot's version"
    case .nothingToDraw(let id):
      "figure \(id) has no number to draw; leave it out"
    }
  }
}
