import DSP
import Foundation

/// Sound of a dry channel that no filter makes of the tape's marks: noise of a codec, or the trace of a clock
/// that wavers.
///
/// It is the power that is not coherent with the marks. Gain, polarity, delay and filters leave none, but
/// for rooms, which ring longer than a frame.
///
/// - Source: Bendat and Piersol, "Random Data", 2010, section 6.1: coherent output spectrum.
struct TapeDistortion {
  /// Level relative to the marks: -70 dB at 16 bits, -26 dB behind MP3 at 320 kbit/s.
  let levelDb: Double
  /// True if half of it or more sounds in the pauses too.
  let isNoise: Bool

  private static let frame = 2048
  private static let lowestHz = 100.0
  /// Highest frequency relative to the sample rate: below what converters of the rate cut off.
  private static let highestShare = 0.35

  /// - Parameters:
  ///   - fit: the clock of the channel.
  ///   - noiseDb: level of its pauses relative to a mark.
  init(_ channel: Signal, of sheet: TapeSheet, fit: MarkFit, noiseDb: Double) {
    let rateHz = channel.sampleRateHz
    let half = TapeMark.seconds / 2
    let mark = TapeMark.sound(rateHz: rateHz)
    let window = Window.hann.samples(Self.frame).map { Float($0) }
    var sent = FourierTransform(count: Self.frame)
    var found = FourierTransform(count: Self.frame)
    var sums = [(sent: Double, found: Double, re: Double, im: Double)](
      repeating: (0, 0, 0, 0), count: sent.binCount)
    for number in fit.found.map(\.mark) {
      let begin = fit.recordedSeconds(ofTape: sheet.marks[number] + half) - half
      let first = Int((begin * rateHz).rounded(.down))
      let rest = begin - Double(first) / rateHz
      let played = mark.delayed { rest + ($0 - half) * (1 - 1 / fit.speed) }
      for start in stride(from: 0, through: played.count - Self.frame, by: Self.frame / 2)
      where channel.samples.indices.contains(first + start)
        && first + start + Self.frame <= channel.count
      {
        let before = window.indices.map { window[$0] * played.samples[start + $0] }
        let after = window.indices.map { window[$0] * channel.samples[first + start + $0] }
        sent.forward(before.span)
        found.forward(after.span)
        for bin in sums.indices {
          let (a, b) = (sent[bin], found[bin])
          sums[bin].sent += Double(a.power)
          sums[bin].found += Double(b.power)
          sums[bin].re += Double(a.re * b.re + a.im * b.im)
          sums[bin].im += Double(a.re * b.im - a.im * b.re)
        }
      }
    }
    let step = rateHz / Double(Self.frame)
    let band = sums[Int(Self.lowestHz / step)...Int(Self.highestShare * rateHz / step)]
    let all = band.reduce(0) { $0 + $1.found }
    let coherent = band.reduce(0) {
      $0 + ($1.re * $1.re + $1.im * $1.im) / max($1.sent, .leastNormalMagnitude)
    }
    levelDb = 10 * log10(max(1e-12, (all - coherent) / max(all, .leastNormalMagnitude)))
    isNoise = levelDb <= noiseDb + 3
  }
}
