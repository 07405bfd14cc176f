import Foundation
import Metrics
import Statistics

/// Findings about one metric on one class of recordings.
public struct MetricValidity: Codable, Equatable, Sendable {
  public var metric: String
  public var kind: RecordingClass
  public var grade: MetricGrade
  /// Value on the ideal voice; `nil` if undefined there.
  public var atIdeal: Double?
  /// True if the ideal voice reads as ideal, within the minimum effect or the noise.
  public var isIdealAtIdeal: Bool
  /// True if it gets worse with each dose of what it is about; `nil` without such a defect.
  public var isMonotone: Bool?
  /// Rank correlation with the known order of systems; `nil` if none is known or too few have a
  /// value.
  public var rank: Double?
  /// Range from the best real system to the worst sound over the noise between takes.
  public var rangeOverNoise: Double?
  /// Largest effect of a defect that it is not about, over that of those that it is about.
  public var crossTalk: Double?
  /// The defect with that effect.
  public var mostDisturbing: String?

  /// Limits of the grade `decides`.
  static let (leastRank, leastRange) = (0.9, 10.0)
  /// Rank from which a metric describes.
  static let leastDescribingRank = 0.6
}

/// The values of all metrics on the ladder of one class of recordings.
struct ValidityLadder: Sendable {
  struct Dosed: Sendable {
    let defect: ValidityDefect
    /// Values for each dose, the smallest first.
    var values: [[String: Double]]
  }

  var kind: RecordingClass
  var ideal: [String: Double]
  /// Systems with their place in the known order and their stated latency.
  var systems: [(name: String, place: Int, latencyMs: Double, values: [String: Double])]
  var defects: [Dosed]
  /// The best system on other takes.
  var takes: [[String: Double]]

  /// Returns what the ladder shows about a metric; `nil` if it has no value on the ideal voice and
  /// on no system, or nothing to be tried by.
  func validity(of metric: Metric) -> MetricValidity? {
    let id = metric.id
    func loss(_ values: [String: Double]) -> Double? {
      values[id].map { value in metric.loss(value) ?? abs(value) }
    }
    let own = defects.filter { $0.defect.isAbout(id) }
    let order = Self.order(of: id)
    guard !own.isEmpty || order != nil,
      ideal[id] != nil || systems.contains(where: { $0.values[id] != nil })
    else { return nil }

    let best = systems.first.flatMap { loss($0.values) }
    let retests = ([best] + takes.map(loss)).compactMap(\.self)
    let noise = Statistics.deviation(retests) ?? 0
    let effect = metric.minimumEffect ?? 0
    let zero = metric.direction == .higher ? -1.0 : 0
    let isIdeal = loss(ideal).map { $0 - zero <= max(effect, 2 * noise) } ?? false

    let monotone = own.compactMap { follows($0, from: loss(ideal), loss, effect) }
    let isMonotone = monotone.isEmpty ? nil : monotone.allSatisfy(\.self)
    let rank = order.flatMap { correlation(of: loss, with: $0) }

    let worst =
      (systems.compactMap { loss($0.values) } + own.flatMap { $0.values.compactMap(loss) }).max()
    let range = best.flatMap { best in worst.map { $0 - best } }
    // Noise below a hundredth of what matters is none.
    let rangeOverNoise = range.map { $0 / max(noise, effect / 100, 1e-9) }

    let reach = own.compactMap { $0.values.last.flatMap(loss) }.max().flatMap { top in
      loss(ideal).map { top - $0 }
    }
    let others = defects.filter { !$0.defect.isAbout(id) }.compactMap { dosed in
      dosed.values.last.flatMap(loss).flatMap { top in
        loss(ideal).map { (dosed.defect.name, abs(top - $0)) }
      }
    }
    let disturbing = others.max { $0.1 < $1.1 }
    let crossTalk = reach.flatMap { reach in
      reach > 0 ? disturbing.map { $0.1 / reach } : nil
    }

    let grade: MetricGrade
    if isIdeal, isMonotone == true, rank ?? 1 >= MetricValidity.leastRank,
      rangeOverNoise ?? 0 >= MetricValidity.leastRange, metric.minimumEffect != nil
    {
      grade = .decides
    } else if isMonotone == true || rank ?? 0 >= MetricValidity.leastDescribingRank {
      grade = .describes
    } else {
      grade = .invalid
    }
    return MetricValidity(
      metric: id, kind: kind, grade: grade, atIdeal: ideal[id], isIdealAtIdeal: isIdeal,
      isMonotone: isMonotone, rank: rank, rangeOverNoise: rangeOverNoise, crossTalk: crossTalk,
      mostDisturbing: crossTalk == nil ? nil : disturbing?.0)
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

  // MARK: Order of systems

  /// Quality by which systems are ordered.
  enum Order { case quality, latency }

  /// The known order for a metric; `nil` if none is known.
  static func order(of metric: String) -> Order? {
    if ["latency.onset", "latency.loudness"].contains(metric) { return .latency }
    let byQuality = [
      "pitch.abs_error", "pitch.within_", "pitch.residual", "pitch.judge_error", "formant.",
      "envelope.lsd", "timbre.mcd", "modulation.added", "tremolo.depth", "intelligibility.",
      "roughness.change", "transient.smear",
    ]
    return byQuality.contains { metric.hasPrefix($0) } ? .quality : nil
  }

  /// Spearman's correlation of the losses with the known order; losses of systems that share a place
  /// share their mean rank.
  private func correlation(
    of loss: ([String: Double]) -> Double?, with order: Order
  ) -> Double? {
    var known: [(place: Double, loss: Double)] = []
    if let start = loss(ideal) { known.append((0, start)) }
    for system in systems {
      guard let own = loss(system.values) else { continue }
      known.append((order == .latency ? system.latencyMs : Double(system.place), own))
    }
    guard known.count >= 4, Set(known.map(\.place)).count > 1 else { return nil }
    return Self.spearman(known.map(\.place), known.map(\.loss))
  }

  static func spearman(_ places: [Double], _ losses: [Double]) -> Double? {
    let (x, y) = (ranks(places), ranks(losses))
    let shared = places.map { place in
      Statistics.mean(places.indices.filter { places[$0] == place }.map { y[$0] })!
    }
    let (meanX, meanY) = (Statistics.mean(x)!, Statistics.mean(shared)!)
    var (product, squareX, squareY) = (0.0, 0.0, 0.0)
    for (a, b) in zip(x, shared) {
      product += (a - meanX) * (b - meanY)
      squareX += (a - meanX) * (a - meanX)
      squareY += (b - meanY) * (b - meanY)
    }
    guard squareX > 0 else { return nil }
    return squareY > 0 ? product / (squareX * squareY).squareRoot() : 0
  }

  /// Ranks from 1, with the mean rank for equal values.
  private static func ranks(_ values: [Double]) -> [Double] {
    values.map { value in
      let below = Double(values.count { $0 < value })
      return below + (Double(values.count { $0 == value }) + 1) / 2
    }
  }
}
