import DSP
import Foundation
import Statistics

/// The delay of each event through a system that may change the pitch: voice onsets, bursts of
/// noise, clicks.
///
/// Events are found in the input, where loudness rises fast out of something softer. Around each,
/// the slopes of the loudness in four bands are correlated with those of the output; the lag of the
/// maximum is the event's delay. Events whose correlation is too low are lost, and so are those that
/// match nearly as well somewhere else: one syllable may pass for the next. If most are lost the
/// delay is undefined.
///
/// - Resolution: 0.5 ms. Noise bursts of 20 ms scatter by about 1 ms if the noise itself is replaced.
/// - Cost: about 1 ms for each event.
public struct EventDelay: Sendable {
  /// Maximum delay searched; the minimum is minus a quarter of it.
  private static let maxMs = 250.0
  /// Time before an event at which the compared loudness starts, and time after it at which it ends.
  private static let excerptMs = (before: 30.0, after: 60.0)
  /// Minimum rise of an event's loudness over the 20 ms before it.
  private static let minRiseDb = 9.0
  /// Minimum distance of two events; closer ones count as one.
  private static let minDistanceMs = 80.0
  /// Minimum correlation of an event that counts as found.
  private static let minCorrelation = 0.6
  /// Maximum correlation of any other place, as a share of the event's own.
  private static let maxAmbiguity = 0.85
  /// Minimum share of events found; with fewer the answer would rest on chance matches.
  private static let minShare = 0.5

  /// Times of the events in the input, in seconds.
  public let eventSeconds: [Double]
  /// Delay of each event; `nil` if it was lost.
  public let delaysMs: [Double?]
  public let estimate: DelayEstimate

  /// - Parameter output: the output at the same rate, starting at the same instant.
  public init(of output: Signal, from input: Signal) throws(Unmeasurable) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let (a, b) = (LoudnessCurve(of: input), LoudnessCurve(of: output))
    guard !a.isSilent, !b.isSilent else { throw .eitherSilent }
    let events = Self.events(of: a)
    guard !events.isEmpty else {
      throw Unmeasurable(.noOnset, "nothing in the input begins clearly")
    }
    guard let before = Self.slopes(of: input), let after = Self.slopes(of: output) else {
      throw Self.lost(events.count, of: events.count)
    }

    let perMs = 1 / LoudnessCurve.stepMs
    let lags = -Int(Self.maxMs / 4 * perMs)...Int(Self.maxMs * perMs)
    var (delays, correlations) = ([Double?](), [Double]())
    for event in events {
      let range =
        event - Int(Self.excerptMs.before * perMs)..<event + Int(Self.excerptMs.after * perMs)
      let values = before.correlations(of: range, with: after, lags: lags)
      if let place = LoudnessSlopes.peak(of: values), Self.isClear(values) {
        delays.append((Double(lags.lowerBound) + place) * LoudnessCurve.stepMs)
        correlations.append(values.max()!)
      } else {
        delays.append(nil)
      }
    }
    let found = delays.compactMap { $0 }
    let lost = events.count - found.count
    guard Double(found.count) >= Self.minShare * Double(events.count),
      let estimate = DelayEstimate(
        delaysMs: found, lost: lost, confidence: Statistics.median(correlations) ?? 0)
    else { throw Self.lost(lost, of: events.count) }
    eventSeconds = events.map { Double($0) * LoudnessCurve.stepMs / 1000 }
    delaysMs = delays
    self.estimate = estimate
  }

  private static func lost(_ lost: Int, of all: Int) -> Unmeasurable {
    Unmeasurable(.lostOnsets, "\(lost) of \(all) onsets are not recognizable in the output")
  }

  /// Deviation of the Gaussian under which slopes are taken.
  private static let bellMs = 4.0
  /// Distance from the maximum within which the correlation belongs to it.
  private static let ownMs = 8.0

  private static func slopes(of signal: Signal) -> LoudnessSlopes? {
    signal.bandLoudness.flatMap { LoudnessSlopes(of: $0, bellMs: bellMs) }
  }

  /// True if the correlation has one high maximum and no other that comes near it.
  private static func isClear(_ correlations: [Double]) -> Bool {
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }!
    let own = Int(ownMs / LoudnessCurve.stepMs)
    let others = correlations.indices.filter { abs($0 - best) > own }.map { correlations[$0] }
    return correlations[best] >= minCorrelation
      && (others.max() ?? 0) <= maxAmbiguity * correlations[best]
  }

  /// The steps at which loudness rises fastest, out of something softer.
  ///
  /// The rise is that of the logarithm over 10 ms, above a floor 50 dB below the loudest step.
  /// Onsets whose level stays 30 dB below the loudest are hiss or breath, not events.
  private static func events(of curve: LoudnessCurve) -> [Int] {
    let perMs = 1 / LoudnessCurve.stepMs
    let (near, far) = (Int(5 * perMs), Int(20 * perMs))
    let top = 20 * log10(curve.values.max()!)
    let levelsDb = curve.values.map { max(20 * log10($0), top - 50) }
    guard levelsDb.count > 2 * near else { return [] }
    // A sound present from the first step has no onset.
    let inner = near..<levelsDb.count - near
    let risesDb = inner.map { levelsDb[$0 + near] - levelsDb[$0 - near] }
    var events: [Int] = []
    for i in inner where risesDb[i - near] > minRiseDb / 2 {
      let around = (i - near..<i + near + 1).clamped(to: inner)
      guard around.allSatisfy({ risesDb[$0 - near] <= risesDb[i - near] }) else { continue }
      let ahead = levelsDb[i..<min(levelsDb.count, i + far)].max()!
      let behind = Statistics.mean(Array(levelsDb[max(0, i - far)...i - near]))!
      guard ahead - behind >= minRiseDb, ahead > top - 30 else { continue }
      if let last = events.last, Double(i - last) < minDistanceMs * perMs { continue }
      events.append(i)
    }
    return events
  }
}
