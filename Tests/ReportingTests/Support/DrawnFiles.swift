import Foundation
import TestSupport

@testable import Reporting

/// Draws a figure; returns the text of its file in each size.
func drawn(_ drawing: Drawing) throws -> [String] {
  let folder = try TemporaryFolder()
  try DrawingWriter().write(drawing, to: folder.url)
  return try PlotSize.allCases.map { size in
    try String(
      contentsOf: folder.url.appendingPathComponent("\(drawing.id)\(size.suffix).svg"),
      encoding: .utf8)
  }
}
