import Metrics

/// One sound of a ladder.
enum Rung: Sendable {
  case ideal
  case system(Int)
  /// A fault of `PlantedFault.ladders` in one of its doses.
  case damage(Int, dose: Int)
  /// The best system on another take of the singer.
  case take(Int)

  /// Figures of a rung, and the latency that its system states.
  struct Figures: Codable, Sendable {
    var latencyMs: Double
    /// Values by metric; `nil` where it is undefined.
    var values: [String: Double?]

    var known: [String: Double] { values.compactMapValues { $0 } }
  }

  static func all(takes: Int) -> [Rung] {
    [.ideal] + ValidityBench.systems.indices.map { .system($0) }
      + PlantedFault.ladders.indices.flatMap { fault in
        PlantedFault.ladders[fault].ladder.indices.map { .damage(fault, dose: $0) }
      } + (0..<takes).map { .take($0) }
  }

  var name: String {
    switch self {
    case .ideal: "ideal"
    case .system(let system): ValidityBench.systems[system].name
    case .damage(let fault, let dose):
      "\(PlantedFault.ladders[fault].name) \(PlantedFault.ladders[fault].ladder[dose])"
    case .take(let take): "take \(take + 2)"
    }
  }

  /// Seed of the singer.
  var seed: UInt64 { if case .take(let take) = self { UInt64(take) + 2 } else { 1 } }

  /// Returns the metrics to measure on the rung. Smaller doses matter only to the metrics that are
  /// about their fault; the largest shows the cross-talk to all others, on clean singing.
  func metricsToMeasure(of metrics: [Metric], on kind: RecordingClass) -> [Metric] {
    guard case .damage(let place, let dose) = self else { return metrics }
    let fault = PlantedFault.ladders[place]
    let showsCrossTalk =
      dose == fault.ladder.count - 1 && [.vowels, .words].contains(kind.material)
    return showsCrossTalk ? metrics : metrics.filter { fault.isAbout($0.id) }
  }

  /// - Parameter bench: a bench with the rung's seed.
  func figures(on bench: ValidityBench, measuring metrics: [Metric]) throws -> Figures {
    switch self {
    case .ideal: return bench.figures(of: bench.ideal, measuring: metrics)
    case .system(let system):
      let rendering = try bench.rendering(of: ValidityBench.systems[system])
      return bench.figures(of: rendering.sound, latencyMs: rendering.latencyMs, measuring: metrics)
    case .damage(let place, let dose):
      let fault = PlantedFault.ladders[place]
      return bench.figures(
        of: try bench.ideal(with: fault.damage(fault.ladder[dose])), measuring: metrics)
    case .take:
      let rendering = try bench.rendering(of: ValidityBench.systems[0])
      return bench.figures(of: rendering.sound, latencyMs: rendering.latencyMs, measuring: metrics)
    }
  }
}
