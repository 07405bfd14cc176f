import Metrics

/// One sound of a ladder.
enum Rung: Sendable {
  case ideal
  case system(Int)
  case defect(Int, dose: Int)
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
      + ValidityDefect.all.indices.flatMap { defect in
        ValidityDefect.all[defect].doses.indices.map { .defect(defect, dose: $0) }
      } + (0..<takes).map { .take($0) }
  }

  var name: String {
    switch self {
    case .ideal: "ideal"
    case .system(let system): ValidityBench.systems[system].name
    case .defect(let defect, let dose):
      "\(ValidityDefect.all[defect].name) \(ValidityDefect.all[defect].doses[dose])"
    case .take(let take): "take \(take + 2)"
    }
  }

  /// Seed of the singer.
  var seed: UInt64 { if case .take(let take) = self { UInt64(take) + 2 } else { 1 } }

  /// Returns the metrics that the rung tells of. Smaller doses matter only to the metrics that are
  /// about their defect; the largest shows the cross-talk to all others, on clean singing.
  func told(_ metrics: [Metric], on kind: RecordingClass) -> [Metric] {
    guard case .defect(let place, let dose) = self else { return metrics }
    let defect = ValidityDefect.all[place]
    let showsCrossTalk =
      dose == defect.doses.count - 1 && [.vowels, .words].contains(kind.material)
    return showsCrossTalk ? metrics : metrics.filter { defect.isAbout($0.id) }
  }

  /// - Parameter bench: a bench with the rung's seed.
  func figures(on bench: ValidityBench, measuring metrics: [Metric]) throws -> Figures {
    switch self {
    case .ideal: return bench.figures(of: bench.ideal, measuring: metrics)
    case .system(let system):
      let found = try bench.rendering(of: ValidityBench.systems[system])
      return bench.figures(of: found.sound, latencyMs: found.latencyMs, measuring: metrics)
    case .defect(let defect, let dose):
      let own = ValidityDefect.all[defect]
      return bench.figures(
        of: try bench.ideal(with: own.kind, own.doses[dose]), measuring: metrics)
    case .take:
      let found = try bench.rendering(of: ValidityBench.systems[0])
      return bench.figures(of: found.sound, latencyMs: found.latencyMs, measuring: metrics)
    }
  }
}
