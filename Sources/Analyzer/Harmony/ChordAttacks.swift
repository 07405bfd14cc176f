import DSP
import Statistics

/// The attacks of a sound, by which the changes of its chords are placed.
///
/// The spectrum of a chord takes 0.37 s. In it a chord that is struck outweighs the one that fades from about 0.1 s
/// before its attack on. The attack itself is where spectra of 46 ms rise most.
///
/// - Source: spectral flux; Dixon, "Onset detection revisited", DAFx 2006.
struct ChordAttacks {
  private static let rateHz = 11_025.0
  private static let frameCount = 512
  private static let hopSeconds = 0.01
  /// The stretch in which an attack is looked for, from the instant at which the chord seems to change. Chords of a
  /// sampled piano and guitar seem to change 198 ms before to 2 ms after their attacks (63 of them).
  private static let reachSeconds = -0.05...0.25
  /// Least rise at an attack, over the median of the sound about it; with 3.2, 4.8 and 8 the same chords are moved. Voices
  /// that glide from chord to chord have none.
  private static let minRise = 4.0

  /// Rise of the spectrum at each hop.
  private let rises: [Double]

  init(of signal: Signal) {
    let samples = signal.resampled(to: Self.rateHz).samples
    var transform = FourierTransform(count: Self.frameCount)
    let window = (0..<Self.frameCount).map {
      Float(Window.hann.value(at: 2 * (Double($0) + 0.5) / Double(Self.frameCount) - 1))
    }
    var before = [Double](repeating: 0, count: transform.binCount)
    rises = (0..<Int(signal.durationSeconds / Self.hopSeconds)).map { hop in
      let start = Int(Double(hop) * Self.hopSeconds * Self.rateHz) - Self.frameCount / 2
      let frame = window.indices.map {
        samples.indices.contains(start + $0) ? window[$0] * samples[start + $0] : 0
      }
      transform.forward(frame.span)
      // The fourth root of the power keeps a loud tone from hiding the others, as in `HarmonicTones`.
      let now = (0..<transform.binCount).map {
        Double(transform[$0].power).squareRoot().squareRoot()
      }
      defer { before = now }
      return zip(now, before).reduce(0) { $0 + max(0, $1.0 - $1.1) }
    }
  }

  /// Returns the attack of the chord that seems to begin at a time; the same time if there is none.
  func attack(near seconds: Double) -> Double {
    func hops(_ reach: ClosedRange<Double>) -> Range<Int> {
      let (from, to) = (seconds + reach.lowerBound, seconds + reach.upperBound)
      return (Int(from / Self.hopSeconds)..<Int(to / Self.hopSeconds) + 1).clamped(
        to: rises.indices)
    }
    let about = hops(Self.reachSeconds.lowerBound - 0.25...Self.reachSeconds.upperBound + 0.25)
    guard let median = Statistics.median(rises[about].map(\.self)),
      let highest = hops(Self.reachSeconds).max(by: { rises[$0] < rises[$1] }),
      rises[highest] > Self.minRise * median
    else { return seconds }
    return Double(highest) * Self.hopSeconds
  }
}
