import Analyzer
import DSP

extension SoundPair {
  /// Smallest correlation for which the difference is used; with less, the rest of the voice in it
  /// masks more than the voice itself.
  private static let leastCorrelation = 0.9
  /// Level of the last bit, below which clicks are ignored.
  private static let leastDbfs = -110.0

  /// Returns the clicks of the test that the reference does not have.
  ///
  /// If both have one waveform, the unexplained rest shows clicks that the voice would mask.
  /// Otherwise clicks are searched in the test, and those of the reference are left out. A delay
  /// that is stated or measured by loudness may be off by the length of a sweep.
  package func clicks() throws -> Clicks {
    if let rest = unexplained {
      var settings = Clicks.Settings()
      settings.leastDbfs = Self.leastDbfs
      do { return try Clicks(in: rest, settings) } catch ArtefactFailure.silent {
        return Clicks(none: rest.durationSeconds)
      }
    }
    let found = try test.clicks.get()
    guard let known = try? reference.clicks.get() else { return found }
    if case .waveform = delay { return found.excluding(known, delaySeconds: delay.seconds) }
    return found.excluding(known, delaySeconds: delay.seconds, toleranceMs: 25)
  }

  /// Time of the test at which the time of `clicks` begins.
  package var clicksBeginSeconds: Double { unexplained == nil ? 0 : max(0, delay.seconds) }

  /// The test without its share of the reference; `nil` if the waveforms differ.
  private var unexplained: Signal? {
    let (x, y) = (aligned.reference.samples, aligned.test.samples)
    var (product, squareX, squareY) = (0.0, 0.0, 0.0)
    for i in x.indices {
      let (a, b) = (Double(x[i]), Double(y[i]))
      product += a * b
      squareX += a * a
      squareY += b * b
    }
    guard squareX > 0, squareY > 0,
      abs(product) >= Self.leastCorrelation * (squareX * squareY).squareRoot()
    else { return nil }
    let gain = Float(product / squareX)
    return Signal(zip(y, x).map { $0 - gain * $1 }, sampleRateHz: aligned.test.sampleRateHz)
  }
}
