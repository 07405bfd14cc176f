import Foundation
import Metrics
import Platform
import Subjects
import Synchronization

/// Figures of rungs in a text file, one JSON object a line, so that a validation resumes where it was
/// stopped. The key of a line has everything that determines its sound and figures, with the build of
/// the toolkit.
final class ValidityStore: Sendable {
  private struct Line: Codable {
    var key: String
    /// Name for readers.
    var rung: String
    /// Figures by metric with its version, such as `pitch.bias/2`.
    var figures: Rung.Figures
  }

  private let url: URL
  private let lines: Mutex<[String: Rung.Figures]>

  /// - Parameter url: file, which is made if it does not exist. A line that was cut off by a kill is
  ///   left out.
  init(_ url: URL) throws {
    self.url = url
    var known: [String: Rung.Figures] = [:]
    if FileManager.default.fileExists(atPath: url.path) {
      for line in try GivenFile.text(at: url).split(separator: "\n") {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
          continue
        }
        known[line.key] = line.figures.merged(over: known[line.key])
      }
    } else {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    lines = Mutex(known)
  }

  /// Returns the figures of a rung if all metrics are known in their versions.
  func figures(of key: String, _ metrics: [Metric]) -> Rung.Figures? {
    guard let known = lines.withLock({ $0[key] }), missing(from: key, metrics).isEmpty else {
      return nil
    }
    var figures = Rung.Figures(latencyMs: known.latencyMs, values: [:])
    for metric in metrics { figures.values[metric.id] = known.values[metric.versioned] }
    return figures
  }

  /// Returns the metrics that were not measured yet on a rung.
  func missing(from key: String, _ metrics: [Metric]) -> [Metric] {
    let known = lines.withLock { $0[key]?.values } ?? [:]
    return metrics.filter { !known.keys.contains($0.versioned) }
  }

  /// Adds the figures of a rung.
  func add(_ figures: Rung.Figures, to key: String, named name: String, _ metrics: [Metric]) throws
  {
    var kept = Rung.Figures(latencyMs: figures.latencyMs, values: [:])
    for metric in metrics {
      kept.values.updateValue(figures.values[metric.id] ?? nil, forKey: metric.versioned)
    }
    var text = try JSONEncoder.canonical.encode(Line(key: key, rung: name, figures: kept))
    // A line break before it ends a line that was cut off.
    text = Data("\n".utf8) + text
    try lines.withLock { lines in
      lines[key] = kept.merged(over: lines[key])
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      try file.seekToEnd()
      try file.write(contentsOf: text)
    }
  }
}

extension Metric {
  fileprivate var versioned: String { "\(id)/\(version)" }
}

extension Rung.Figures {
  fileprivate func merged(over older: Rung.Figures?) -> Rung.Figures {
    guard let older else { return self }
    return Rung.Figures(latencyMs: latencyMs, values: older.values.merging(values) { $1 })
  }
}
