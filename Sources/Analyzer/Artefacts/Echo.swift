import DSP
import Foundation
import Statistics

/// A second copy of a sound, such as a doubling or an echo, with its delay and level.
///
/// With a reference, the system's response is estimated from the cross-spectrum; its second peak is
/// the copy. Both sounds need the same pitch. Without a reference, the copy ripples the spectrum at
/// equal steps, which puts a peak into the cepstrum at its delay. That peak stays while the pitch
/// moves, so the median over frames keeps it and drops the pitch. Copies earlier than 9 ms resemble
/// a pitch and are only found against a reference.
///
/// - Domain: fixed delays up to 150 ms; copies down to -30 dB against a reference, -22 dB without.
///   An output of another pitch has no usable reference. A voice held below 111 Hz may be mistaken
///   for its own copy.
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: Bendat and Piersol, "Random Data", 4th ed., 6.1 (response from cross-spectrum);
///   Bogert, Healy and Tukey, "The quefrency alanysis of time series for echoes", 1963.
public struct Echo: Codable, Equatable, Sendable {
  /// Delay after the first copy; negative, which only a reference can show, for a copy before it.
  public var delayMs: Double
  /// Level relative to the first copy.
  public var gainDb: Double
  /// Height of the peak above its surroundings, in standard deviations.
  public var prominence: Double

  /// Returns the strongest copy in a sound, found without a reference; `nil` if there is none.
  ///
  /// - Parameter minProminence: lower peaks count as chance.
  public static func found(
    in signal: Signal, minProminence: Double = 8
  ) throws(Unmeasurable) -> Echo? {
    try signal.checkedForArtefacts()
    let rateHz = signal.sampleRateHz
    guard rateHz >= 8000 else { throw .rateTooLow(hz: rateHz, minHz: 8000) }
    guard signal.durationSeconds >= 2 else {
      throw .tooShort(seconds: signal.durationSeconds, neededSeconds: 2)
    }
    // Above 8 kHz there is little voice to ripple.
    let sound = rateHz > 16_000 ? signal.resampled(to: 16_000) : signal
    let rate = sound.sampleRateHz
    let range = Int(0.009 * rate)..<Int(0.15 * rate)
    let reach = Int(0.0003 * rate)
    var cepstrum = EchoCepstrum(sampleRateHz: rate)
    // No place beyond one period after the range is looked at.
    let values = cepstrum.median(
      of: sound.samples, upTo: range.upperBound + range.lowerBound + reach + 2)
    let pitch = Peak(in: values, Int(0.0008 * rate)..<range.lowerBound)
    let free = range.filter { place in
      guard let pitch, pitch.height > 0.05 else { return true }
      // A held pitch has peaks at all multiples of its period; a copy's peak stands alone.
      return ![-pitch.place, pitch.place].contains { step in
        let beside = Int((Double(place) + step).rounded())
        let around = (beside - reach..<beside + reach + 1).clamped(to: values.indices)
        let highest = values[around].max() ?? 0
        return highest > 0.4 * values[place]
      }
    }
    guard let peak = Peak(in: values, range, among: free) else { return nil }
    guard peak.prominence >= minProminence, peak.height >= 0.08 else { return nil }
    return Echo(
      delayMs: peak.place / rate * 1000, gainDb: 20 * log10(min(1, peak.height)),
      prominence: peak.prominence)
  }

  /// Returns the strongest second copy in an output, found against a reference; `nil` if there is
  /// none.
  public static func found(
    in output: Signal, against reference: Signal, minProminence: Double = 8
  ) throws(Unmeasurable) -> Echo? {
    try output.checkedForArtefacts(against: reference)
    let rateHz = output.sampleRateHz
    let needed = 2.0
    let seconds = min(output.durationSeconds, reference.durationSeconds)
    guard seconds >= needed else { throw .tooShort(seconds: seconds, neededSeconds: needed) }
    let response = CrossResponse(of: output, from: reference)
    let count = response.values.count
    let main = response.values.indices.max {
      abs(response.values[$0]) < abs(response.values[$1])
    }!
    let (least, most) = (Int(0.002 * rateHz), Int(0.15 * rateHz))
    // The range from 150 ms before to 150 ms after the first copy wraps round.
    let around = (-most...most).map { offset -> Double in
      guard abs(offset) >= least else { return 0 }
      let value = response.values[((main + offset) % count + count) % count]
      return abs(value / response.values[main]) / response.overlap(offset)
    }
    guard let peak = Peak(in: around, 1..<around.count - 1) else { return nil }
    guard peak.prominence >= minProminence, peak.height >= 0.0316 else { return nil }
    return Echo(
      delayMs: (peak.place - Double(most)) / rateHz * 1000, gainDb: 20 * log10(peak.height),
      prominence: peak.prominence)
  }

  /// The highest value in a range.
  private struct Peak {
    var place: Double
    var height: Double
    var prominence: Double

    /// - Parameter places: the candidates within the range; all if `nil`.
    init?(in values: [Double], _ range: Range<Int>, among places: [Int]? = nil) {
      let range = range.clamped(to: 1..<max(1, values.count - 1))
      let places = (places ?? Array(range)).filter(range.contains)
      guard let best = places.max(by: { values[$0] < values[$1] }) else { return nil }
      let spread = Statistics.median(range.map { abs(values[$0]) }) ?? 0
      height = values[best]
      // The median magnitude of normal noise is 0.67 standard deviations.
      prominence = spread > 0 ? min(1000, height / (spread / 0.6745)) : height > 0 ? 1000 : 0
      let offset = peakOffset(values[best - 1], height, values[best + 1]) ?? 0
      place = Double(best) + min(0.5, max(-0.5, offset))
    }
  }
}
