import Analyzer
import DSP

extension SoundPair {
  /// A lower correlation leaves so much of the voice in the difference that it hides more than the
  /// voice itself does.
  private static let leastCorrelation = 0.9
  /// Levels below this are the last bit's.
  private static let leastDbfs = -110.0

  /// Clicks of the test that the reference doesn't have.
  ///
  /// Where both are of one waveform, what the reference doesn't explain shows clicks that the voice
  /// would hide. Elsewhere clicks are looked for in the test by itself, and those of the reference
  /// are left out; a delay that is only known by loudness or by word may be off by a sweep.
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

  /// At what time of the test the time of `clicks` begins.
  package var clicksBeginSeconds: Double { unexplained == nil ? 0 : max(0, delay.seconds) }

  /// The test without its share of the reference; `nil` where the waveforms differ.
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
