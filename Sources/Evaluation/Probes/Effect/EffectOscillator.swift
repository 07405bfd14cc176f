import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// The regular movement of the level and the delay of a tone: the low-frequency oscillator of a tremolo, vibrato,
/// chorus, phaser or moving filter.
///
/// Amplitude and phase are those of the analytic signal between 500 and 1500 Hz, once a millisecond.
struct EffectOscillator {
  let findings: [ProbeFinding]
  /// The movement in words; `nil` if the effect stands still.
  let movement: String?

  private static let hz = 1000.0
  private static let perSecond = 1000.0
  private static let seconds = 20.0
  private static let count = Int(seconds * EffectProbe.rateHz)

  /// The first two seconds, in which an effect may swing, are left out.
  static var sound: [Float] { EffectProbe.tone(hz: hz, levelDb: -20, seconds: 2 + seconds) }

  private static let minDepthPercent = 1.0
  private static let minDepthCents = 0.5
  /// The share of a square wave's power in its fundamental is 81 %, of a sawtooth 61 %.
  private static let minExplained = 0.5

  init(of output: [Float]) throws {
    let (levels, delaysMs) = Self.demodulated(Array(output.suffix(Self.count)))
    let (low, high) = (levels.min() ?? 0, levels.max() ?? 0)
    guard high > 1e-5 else { throw Refusal("no tone of 1 kHz comes out") }
    let (level, delay) = (Swing(of: levels), Swing(of: delaysMs))
    let depthPercent = 100 * (high - low) / high
    // The steepest change of the delay bends the pitch most.
    let depthCents = 1200 / log(2) * 2 * .pi * delay.rateHz * delay.amplitude / 1000
    let (levelMoves, delayMoves) = (
      depthPercent > Self.minDepthPercent, depthCents > Self.minDepthCents
    )
    guard levelMoves || delayMoves else {
      movement = nil
      findings = [
        .undefined(
          .effect, "lfo",
          "none: level and pitch of a tone move by \(fixed(depthPercent, 2)) % and "
            + "\(fixed(depthCents, 2)) cents")
      ]
      return
    }
    // The one that is nearer to a sine has the clearer rate.
    let swing = !delayMoves || levelMoves && level.explained > delay.explained ? level : delay
    guard swing.explained > Self.minExplained else {
      let words = "level or pitch of a tone move, but not with one rate"
      (movement, findings) = (words, [.undefined(.effect, "lfo", words)])
      return
    }
    movement = "\(fixed(swing.rateHz, 2)) Hz"
    findings = [
      .effect("lfo", swing.rateHz, "Hz", "rate at which a tone of 1 kHz moves"),
      .effect(
        "lfo.level", depthPercent, "%",
        "from \(fixed(20 * log10(max(low / high, 1e-5)))) dB to its loudest"),
      .effect(
        "lfo.pitch", depthCents, "cents",
        "to either side; delay \(fixed(2 * delay.amplitude, 2)) ms from end to end"),
    ]
  }

  /// Returns the amplitude and the delay in ms, once a millisecond: the band around the tone, moved to 0 Hz.
  private static func demodulated(_ output: [Float]) -> (levels: [Double], delaysMs: [Double]) {
    let kept = Int(seconds * perSecond)
    var transform = FourierTransform(count: count)
    transform.forward(output.span)
    var band = ComplexTransform(count: kept, .inverse)
    let (tone, half) = (Int(hz * seconds), Int(0.5 * hz * seconds))
    for bin in 1 - half..<half {
      // Soft edges, so that a square wave does not overshoot.
      let edge = min(1, Float(half - abs(bin)) / Float(half) / 0.4)
      let weight = (0.5 - 0.5 * cos(.pi * edge)) * 2 / Float(count)
      let value = transform[tone + bin]
      var target = band.input
      target[bin < 0 ? kept + bin : bin] = ComplexFloat(weight * value.re, weight * value.im)
    }
    band.run()
    var (levels, delaysMs) = ([Double](), [Double]())
    // Both ends ring, because the band takes the sound for periodic.
    for n in kept / 40..<kept * 39 / 40 {
      let value = Complex(Double(band.output[n].re), Double(band.output[n].im))
      levels.append(value.magnitude)
      var delayMs = -atan2(value.im, value.re) / (2 * .pi) * 1000 / hz
      if let last = delaysMs.last { delayMs += ((last - delayMs) * hz / 1000).rounded() }
      delaysMs.append(delayMs)
    }
    return (levels, delaysMs)
  }

  /// The sine that explains most of a series.
  struct Swing {
    private(set) var rateHz = 0.0
    private(set) var amplitude = 0.0
    /// Share of the variance.
    private(set) var explained = 0.0

    private static let count = 1 << 16

    init(of values: [Double]) {
      let mean = Statistics.mean(values) ?? 0
      let rest = values.map { $0 - mean }
      let window = Window.hann.samples(rest.count)
      var transform = PreciseTransform(count: Self.count)
      let powers = transform.power(of: zip(rest, window).map { $0 * $1 })
      let perBin = perSecond / Double(Self.count)
      let bins = Int(0.1 / perBin)...Int(40 / perBin)
      guard let peak = bins.max(by: { powers[$0] < powers[$1] }), powers[peak] > 0 else { return }
      func power(_ rateHz: Double) -> Double {
        let part = Self.part(of: rest, window, rateHz)
        return part.re * part.re + part.im * part.im
      }
      var (low, high) = (Double(peak - 2) * perBin, Double(peak + 2) * perBin)
      for _ in 0..<24 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low))
        if power(a) > power(b) { high = b } else { low = a }
      }
      rateHz = (low + high) / 2
      let part = Self.part(of: rest, window, rateHz)
      let weights = window.reduce(0, +)
      amplitude = 2 * hypot(part.re, part.im) / weights
      let variance = zip(rest, window).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / weights
      explained = variance > 0 ? min(1, amplitude * amplitude / 2 / variance) : 0
    }

    private static func part(
      of values: [Double], _ window: [Double], _ rateHz: Double
    ) -> (re: Double, im: Double) {
      let turn = 2 * .pi * rateHz / perSecond
      return values.indices.reduce(into: (re: 0.0, im: 0.0)) {
        let angle = turn * Double($1)
        $0.re += window[$1] * values[$1] * cos(angle)
        $0.im += window[$1] * values[$1] * sin(angle)
      }
    }
  }
}
