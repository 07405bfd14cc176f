import Foundation
import Metrics

/// Noise between equal runs for each metric, as calibration measured it; a small text file.
public struct GateNoise: Equatable, Sendable {
  /// Largest change in the unit of the metric; 0 if runs are always identical.
  public var byMetric: [String: Double]
  /// Comment lines at the start of the file, about the calibration.
  public var header: [String]

  public init(byMetric: [String: Double], header: [String]) {
    (self.byMetric, self.header) = (byMetric, header)
  }

  static let title = "choir-eval.noise/1"

  public init(reading url: URL) throws(GateError) {
    func fail(_ line: Int?, _ problem: String) -> GateError {
      .baseline(path: url.path, line: line, problem: problem)
    }
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      throw fail(nil, "can't be read; create it with choir-eval gate GATE --calibrate 10")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.first == "# \(Self.title)" else {
      throw fail(1, "is not a noise file; it must begin with '# \(Self.title)'")
    }
    if lines.last == "" { lines.removeLast() }
    (byMetric, header) = ([:], [])
    for (index, line) in lines.enumerated().dropFirst() {
      if line.hasPrefix("#") {
        header.append(String(line.dropFirst(2)))
        continue
      }
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      if columns.first == "metric" { continue }
      guard columns.count == 3, let value = Double(columns[1]), value >= 0, value.isFinite else {
        throw fail(index + 1, "must have a metric, a noise of at least 0 and a unit, with tabs")
      }
      byMetric[String(columns[0])] = value
    }
  }

  public var text: String {
    let rows = byMetric.sorted { $0.key < $1.key }.map { id, noise in
      "\(id)\t\(noise)\t\(Metric.metric(id: id)?.unit ?? "")"
    }
    return (["# \(Self.title)"] + header.map { "# \($0)" } + ["metric\tnoise\tunit"] + rows)
      .joined(separator: "\n") + "\n"
  }
}
