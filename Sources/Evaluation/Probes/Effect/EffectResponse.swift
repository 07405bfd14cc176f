import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// The impulse response of an effect at a low level, from a sweep; its spectrum and its decay.
///
/// - Source: Farina, "Simultaneous measurement of impulse response and distortion with a swept-sine technique",
///   AES 108th convention, 2000: products of distortion come before the impulse, and are cut off. Schroeder, "New
///   method of measuring reverberation time", J. Acoust. Soc. Am. 37, 1965; T30 of ISO 3382-1:2009, 5.3.3.
struct EffectResponse {
  /// Delay of the highest sample.
  let delaySamples: Int
  let rows: [EffectProbe.Row]
  let findings: [ProbeFinding]

  private static let rateHz = EffectProbe.rateHz
  /// Length of the transforms, above that of the sound.
  private static let count = 1 << 20
  private static let sweepCount = 480_000
  private static let (lowHz, highHz) = (10.0, 23_900.0)
  private static let levelDb = -30.0
  /// The second harmonic lies 0.9 s before the impulse, and a response of linear phase less than this.
  private static let leadCount = 4800
  /// A direct sound is over by then, and does not count as tail.
  private static let directCount = 480

  /// A sweep of 10 s, then silence for the tail.
  static let sound: [Float] = {
    let span = log(highHz / lowHz)
    let seconds = Double(sweepCount) / rateHz
    let sweep = (0..<sweepCount).map { n -> Float in
      let time = Double(n) / rateHz
      let turns = lowHz * seconds / span * (exp(time / seconds * span) - 1)
      let fade = min(1, time / 0.1, (seconds - time) / 0.005)
      return Float(pow(10, levelDb / 20) * fade * sin(2 * .pi * (turns - turns.rounded(.down))))
    }
    return sweep + [Float](repeating: 0, count: sweepCount)
  }()

  init(of output: [Float]) {
    let whole = Self.deconvolved(output)
    let loudest = whole.indices.max { abs(whole[$0]) < abs(whole[$1]) } ?? 0
    let delay = loudest < Self.sweepCount ? loudest : 0
    let response = Array(
      whole.suffix(Self.leadCount) + whole.prefix(Self.sweepCount + Self.leadCount))
    let tail = Array(response.dropFirst(Self.leadCount + delay + Self.directCount))
    // Third octaves from 25 Hz to 20 kHz, of base 2 about 1 kHz.
    let rows = (-16...13).map { third in
      let hz = 1000 * exp2(Double(third) / 3)
      let gain = Self.magnitude(of: response, hz)
      return EffectProbe.Row(
        hz: hz, gainDb: 20 * log10(max(gain, 1e-9)),
        decaySeconds: third % 3 == 0 && -9...9 ~= third
          ? try? Self.decaySeconds(of: tail, octaveHz: hz, gain: gain) : nil)
    }
    (delaySamples, self.rows) = (delay, rows)
    findings = [
      Self.summary(of: rows), Self.decay(of: tail, gain: Self.magnitude(of: response, 1000)),
    ]
  }

  private static func summary(of rows: [EffectProbe.Row]) -> ProbeFinding {
    let (low, high) = (rows.min { $0.gainDb < $1.gainDb }!, rows.max { $0.gainDb < $1.gainDb }!)
    let middle = rows.first { $0.hz == 1000 }!
    guard high.gainDb > -100 else {
      return .undefined(.effect, "response", "no sound comes out")
    }
    return .effect(
      "response", middle.gainDb, "dB",
      "gain at 1 kHz; from \(fixed(low.gainDb)) dB at \(fixed(low.hz, 0)) Hz to "
        + "\(fixed(high.gainDb)) dB at \(fixed(high.hz, 0)) Hz, for a sweep of "
        + "\(fixed(levelDb, 0)) dBFS"
    )
  }

  private static func decay(of tail: [Float], gain: Double) -> ProbeFinding {
    do {
      return .effect(
        "rt60", try decaySeconds(of: tail, octaveHz: 1000, gain: gain), "s",
        "decay by 60 dB in the octave of 1 kHz, from its slope between -5 and -35 dB")
    } catch { return .undefined(.effect, "rt60", error) }
  }

  // MARK: Signals

  /// Returns the circular response: what comes before the impulse is at the end.
  private static func deconvolved(_ output: [Float]) -> [Float] {
    var input = FourierTransform(count: count)
    var transform = FourierTransform(count: count)
    input.forward(sound.span)
    transform.forward(output.span)
    let powers = (0..<input.binCount).map { input[$0].power }
    // What the sweep does not reach is left out; at 20 kHz this costs 0.002 dB.
    let floor = 1e-7 * powers.max()!
    let ratios = powers.indices.map { bin -> ComplexFloat in
      let (x, y) = (input[bin], transform[bin])
      let scale = 1 / (powers[bin] + floor) / Float(count)
      return ComplexFloat(scale * (y.re * x.re + y.im * x.im), scale * (y.im * x.re - y.re * x.im))
    }
    transform.inverse(of: ratios.span)
    return (0..<count).map { transform.samples[$0] }
  }

  /// Returns the magnitude at a frequency from the defining sum of the Fourier transform.
  private static func magnitude(of response: [Float], _ hz: Double) -> Double {
    let angle = -2 * .pi * hz / rateHz
    let turn = Complex(cos(angle), sin(angle))
    var (phase, sum) = (Complex(1, 0), Complex(0, 0))
    for sample in response {
      sum = sum + Complex(Double(sample), 0) * phase
      phase = phase * turn
    }
    return sum.magnitude
  }

  /// Returns the time to -60 dB in an octave, from a line through the level of all energy that still comes.
  ///
  /// The octave has the slopes of a Butterworth filter of order 3 that runs there and back.
  private static func decaySeconds(
    of tail: [Float], octaveHz: Double, gain: Double
  ) throws -> Double {
    var transform = FourierTransform(count: count)
    transform.forward(tail.span)
    let width = octaveHz / 2.0.squareRoot()
    let band = (0..<transform.binCount).map { bin -> ComplexFloat in
      let hz = Double(bin) * rateHz / Double(count)
      guard hz > 0 else { return ComplexFloat(0, 0) }
      let share = 1 / (1 + pow((hz * hz - octaveHz * octaveHz) / (hz * width), 6))
      return ComplexFloat(transform[bin].re * Float(share), transform[bin].im * Float(share))
    }
    transform.inverse(of: band.span)
    var energy = 0.0
    // Reversed, so that the end comes first.
    let curve =
      tail.indices.reversed().map { n -> Double in
        let value = Double(transform.samples[n]) / Double(count)
        energy += value * value
        return energy
      }.reversed() as [Double]
    // An impulse of this gain has `2 * width / rateHz` of its energy in the octave.
    guard energy > 2e-6 * gain * gain * width / rateHz else {
      throw Refusal("no tail: what comes after 10 ms is more than 60 dB below the sound")
    }
    let levels = curve.map { 10 * log10(max($0, 1e-30) / energy) }
    guard let from = levels.firstIndex(where: { $0 < -5 }),
      let to = levels.firstIndex(where: { $0 < -35 }), to < levels.count * 4 / 5
    else { throw Refusal("the tail is longer than 10 s, or noise hides its end") }
    let line = Line(Array(levels[from..<to]))
    let seconds = -60 / (line.slope * rateHz)
    // ISO 3382-1: a filter that runs back needs 4 cycles of its width.
    guard seconds > 4 / width else {
      throw Refusal("the tail is shorter than \(fixed(4000 / width)) ms")
    }
    // ISO 3382-2:2008, annex B.
    guard line.unexplained < 0.01 else {
      throw Refusal(
        "its decay is no line but steps, such as echoes, or two slopes: nonlinearity "
          + "\(fixed(1000 * line.unexplained, 0)) per mille, above the 10 of ISO 3382-2")
    }
    return seconds
  }

  private struct Line {
    /// Change from value to value.
    let slope: Double
    /// Share of the variance that the line leaves.
    let unexplained: Double

    init(_ values: [Double]) {
      let (meanX, meanY) = (Double(values.count - 1) / 2, Statistics.mean(values) ?? 0)
      var (xx, xy, yy) = (0.0, 0.0, 0.0)
      for (n, value) in values.enumerated() {
        let (x, y) = (Double(n) - meanX, value - meanY)
        xx += x * x
        xy += x * y
        yy += y * y
      }
      slope = xy / max(xx, 1e-30)
      unexplained = 1 - xy * xy / max(xx * yy, 1e-30)
    }
  }
}
