import Analyzer
import DSP
import Foundation

extension SoundPair {
  /// Smallest correlation for which the difference is used; with less, the rest of the voice in it
  /// masks more than the voice itself.
  private static let minCorrelation = 0.9
  /// Level of the last bit, below which clicks are ignored.
  private static let minDbfs = -110.0

  /// Least level of a click that is heard, in dB relative to the mean level of the sound.
  ///
  /// In silence a click of 0.1 ms is heard from about 35 dB peak equivalent (ISO 389-6). A single
  /// sample at 48 kHz has 14 dB less of what the ear hears. To a good ear, 10 dB better than most,
  /// and a voice at 85 dB, it must come within 46 dB of the voice; at 70 dB, within 31.
  static let minClickDb = -46.0

  /// Returns the audible clicks of the test that the reference does not have.
  ///
  /// If both have one waveform, the unexplained rest shows clicks that the voice would mask.
  /// Otherwise clicks are searched in the test, and those of the reference are left out. A delay
  /// that is given or measured by loudness may be off by the length of a sweep.
  package func clicks() throws -> Clicks {
    var clicks = try allClicks()
    let minDbfs = 20 * log10(test.audible.rms) + Self.minClickDb
    clicks.clicks.removeAll { $0.levelDbfs < minDbfs }
    return clicks
  }

  private func allClicks() throws -> Clicks {
    if let rest = unexplained {
      do throws(Unmeasurable) { return try Clicks(in: rest, minDbfs: Self.minDbfs) } catch {
        guard error.cause == .silent else { throw error }
        return Clicks(none: rest.durationSeconds)
      }
    }
    let clicks = try test.clicks.get()
    guard let known = try? reference.clicks.get() else { return clicks }
    if let reason = delay.unknown { throw reason }
    if case .waveform(let waveform) = delay {
      return clicks.excluding(known, delaySeconds: waveform.delayMs / 1000)
    }
    return clicks.excluding(known, delaySeconds: delay.seconds!, toleranceMs: 25)
  }

  /// Time of the test at which the time of `clicks` begins.
  package var clicksBeginSeconds: Double { unexplained == nil ? 0 : max(0, delay.seconds ?? 0) }

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
      abs(product) >= Self.minCorrelation * (squareX * squareY).squareRoot()
    else { return nil }
    let gain = Float(product / squareX)
    return Signal(zip(y, x).map { $0 - gain * $1 }, sampleRateHz: aligned.test.sampleRateHz)
  }
}
