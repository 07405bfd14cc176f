import Foundation
import Metrics

/// What equal runs differ by, metric by metric, as calibration found; a small text file.
public struct GateNoise: Equatable, Sendable {
  /// In the unit of the metric; 0 where runs are always the same.
  public var byMetric: [String: Double]
  /// About how it was found, in the file's first lines.
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
      throw fail(nil, "can't be read; choir-eval gate GATE --calibrate 10 makes it")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.first == "# \(Self.title)" else {
      throw fail(1, "is no file of noise: it begins with '# \(Self.title)'")
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
        throw fail(index + 1, "is not metric, noise and unit, with tabs between")
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
