import Foundation
import Metrics
import Statistics

/// The values of all metrics on the ladder of one class of recordings.
struct ValidityLadder: Sendable {
  struct Dosed: Sendable {
    let fault: PlantedFault
    /// Values for each dose, the smallest first.
    var values: [[String: Double]]
  }

  var kind: RecordingClass
  var ideal: [String: Double]
  /// Systems with their place in the known order and their stated latency.
  var systems: [(name: String, place: Int, latencyMs: Double, values: [String: Double])]
  var damage: [Dosed]
  /// The best system on other takes.
  var takes: [[String: Double]]

  /// Returns what the ladder shows about a metric; `nil` if it has no value on the ideal voice and
  /// on no system, or nothing to be tried by.
  func validity(of metric: Metric) -> MetricValidity? {
    let id = metric.id
    func loss(_ values: [String: Double]) -> Double? {
      values[id].map { value in metric.loss(value) ?? abs(value) }
    }
    let own = damage.filter { $0.fault.isAbout(id) }
    let order = Self.order(of: id)
    guard !own.isEmpty || order != nil,
      ideal[id] != nil || systems.contains(where: { $0.values[id] != nil })
    else { return nil }

    let best = systems.first.flatMap { loss($0.values) }
    let retests = ([best] + takes.map(loss)).compactMap(\.self)
    let noise = Statistics.deviation(retests) ?? 0
    let effect = metric.minimumEffect ?? 0
    let resolution = max(resolution(of: metric), 2 * noise)
    let isIdeal = ideal[id].map { metric.distanceFromIdeal($0) <= resolution } ?? false

    let monotone = own.compactMap { follows($0, from: loss(ideal), loss, effect) }
    let isMonotone = monotone.isEmpty ? nil : monotone.allSatisfy(\.self)
    let rank = order.flatMap { correlation(of: loss, with: $0, tolerance: max(effect, 2 * noise)) }

    let worst =
      (systems.compactMap { loss($0.values) } + own.flatMap { $0.values.compactMap(loss) }).max()
    let range = best.flatMap { best in worst.map { $0 - best } }
    // Noise below a hundredth of what matters is none.
    let rangeOverNoise = range.map { $0 / max(noise, effect / 100, 1e-9) }

    /// True if the value moves in one direction with the doses, whatever its ideal.
    func moves(_ dosed: Dosed) -> Bool {
      let values = dosed.values.compactMap { $0[id] }
      guard let start = ideal[id], values.count == dosed.values.count, let end = values.last,
        abs(end - start) > effect
      else { return false }
      return zip([start] + values, values).allSatisfy { ($1 - $0) * (end - start) > 0 }
    }

    let reach = own.compactMap { $0.values.last.flatMap(loss) }.max().flatMap { top in
      loss(ideal).map { top - $0 }
    }
    let others = damage.filter { !$0.fault.isAbout(id) }.compactMap { dosed in
      dosed.values.last.flatMap(loss).flatMap { top in
        loss(ideal).map { (dosed.fault.name, abs(top - $0)) }
      }
    }
    let disturbing = others.max { $0.1 < $1.1 }
    let crossTalk = reach.flatMap { reach in
      reach > 0 ? disturbing.map { $0.1 / reach } : nil
    }

    let grade: MetricGrade
    if isIdeal, isMonotone == true, rank ?? 1 >= MetricValidity.minRank,
      rangeOverNoise ?? 0 >= MetricValidity.minRange, metric.minimumEffect != nil
    {
      grade = .decides
    } else if isMonotone == true || rank ?? 0 >= MetricValidity.minDescribingRank
      || isMonotone == nil && rank == nil && (isIdeal || ideal[id] == nil)
      || own.contains(where: moves)
    {
      grade = .describes
    } else {
      grade = .invalid
    }
    return MetricValidity(
      metric: id, kind: kind, grade: grade, atIdeal: ideal[id], readsIdealOnIdealVoice: isIdeal,
      isMonotone: isMonotone, rank: rank, rangeOverNoise: rangeOverNoise, crossTalk: crossTalk,
      maxDisturber: crossTalk == nil ? nil : disturbing?.0)
  }

  /// True if the loss never falls by more than half the minimum effect from dose to dose and exceeds
  /// it in the end; `nil` if a dose has no value.
  private func follows(
    _ dosed: Dosed, from start: Double?, _ loss: ([String: Double]) -> Double?, _ effect: Double
  ) -> Bool? {
    let losses = dosed.values.compactMap(loss)
    guard let start, losses.count == dosed.values.count, let end = losses.last else { return nil }
    let steps = zip([start] + losses, losses)
    return steps.allSatisfy { $1 >= $0 - effect / 2 } && end - start > effect
  }

  /// Distance from the ideal that a metric may have on the ideal voice: its minimum effect; for a
  /// latency half a millisecond. The minimum effect of 2 cents is heard on steady tones. In words and
  /// speech, whose pitch glides, it is the 10 cents of a voice in a chord (docs/reference/metrics.md#audibility).
  private func resolution(of metric: Metric) -> Double {
    let effect = metric.minimumEffect ?? 0
    if metric.id.hasPrefix("latency.") { return max(effect, 0.5) }
    return metric.unit == "cents" && kind.material != .vowels ? max(effect, 10) : effect
  }

  // MARK: Order of systems

  /// Quality by which systems are ordered.
  enum Order { case quality, latency }

  /// The known order for a metric; `nil` if none is known.
  static func order(of metric: String) -> Order? {
    if ["latency.onset", "latency.alignment"].contains(metric) { return .latency }
    let byQuality = [
      "pitch.abs_error", "pitch.within_", "pitch.residual", "pitch.judge_error", "formant.",
      "envelope.lsd", "timbre.mcd", "modulation.added", "tremolo.depth", "intelligibility.",
    ]
    return byQuality.contains { metric.hasPrefix($0) } ? .quality : nil
  }

  /// How far the losses follow the known order (`agreement`). Losses that differ by less than the
  /// tolerance count as equal; if all do, the systems don't differ in this and their order says nothing.
  private func correlation(
    of loss: ([String: Double]) -> Double?, with order: Order, tolerance: Double
  ) -> Double? {
    var known: [(place: Double, loss: Double)] = []
    if let start = loss(ideal) { known.append((0, start)) }
    for system in systems {
      guard let own = loss(system.values) else { continue }
      known.append((order == .latency ? system.latencyMs : Double(system.place), own))
    }
    guard known.count >= 4, Set(known.map(\.place)).count > 1 else { return nil }
    let losses = Self.levels(of: known.map(\.loss), tolerance: tolerance)
    return Set(losses).count > 1 ? Self.agreement(of: losses, with: known.map(\.place)) : nil
  }

  /// Returns for each loss the smallest loss from which it differs by less than the tolerance.
  static func levels(of losses: [Double], tolerance: Double) -> [Double] {
    var levels: [Double] = []
    for loss in losses.sorted() where loss - (levels.last ?? -.infinity) > tolerance {
      levels.append(loss)
    }
    return losses.map { loss in levels.last { $0 <= loss }! }
  }

  /// Share of the pairs of systems in the known order, less the share in the reverse order (gamma): 1
  /// for the known order, -1 for the reverse. Pairs at one place or of equal losses don't count; `nil`
  /// if there is no other.
  ///
  /// - Source: Goodman and Kruskal, "Measures of association for cross classifications", Journal of
  ///   the American Statistical Association 49, 1954.
  static func agreement(of losses: [Double], with places: [Double]) -> Double? {
    var (sum, pairs) = (0.0, 0.0)
    for a in places.indices {
      for b in places.indices where places[a] < places[b] && losses[a] != losses[b] {
        pairs += 1
        sum += losses[a] < losses[b] ? 1 : -1
      }
    }
    return pairs > 0 ? sum / pairs : nil
  }
}

extension ValidityLadder {
  init(_ kind: RecordingClass, _ rungs: [(rung: Rung, figures: Rung.Figures)]) {
    self.init(kind: kind, ideal: [:], systems: [], damage: [], takes: [])
    for (rung, figures) in rungs {
      switch rung {
      case .ideal: ideal = figures.known
      case .system(let index):
        let system = ValidityBench.systems[index]
        systems.append((system.name, system.place, figures.latencyMs, figures.known))
      case .damage(let index, let dose):
        if dose == 0 { damage.append(Dosed(fault: PlantedFault.ladders[index], values: [])) }
        damage[damage.count - 1].values.append(figures.known)
      case .take: takes.append(figures.known)
      }
    }
  }
}

extension Metric {
  /// Distance of a value from that of a perfect harmonizer.
  fileprivate func distanceFromIdeal(_ value: Double) -> Double {
    switch direction {
    // Shares and scores of which more is better end at 1.
    case .higher: max(0, (own?.perfect ?? 1) - value)
    // A negative latency is as wrong as a positive one.
    case .lower: abs(value)
    case .target: abs(value - (ideal ?? 0))
    }
  }
}
