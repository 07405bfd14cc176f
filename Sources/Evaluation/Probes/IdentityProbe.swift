import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// Tests that a subject passes sound unchanged when told to: a shift of 0 semitones, or a tuner
/// that corrects by 0 %.
enum IdentityProbe {
  /// Residual below which a difference is masked by the voice itself.
  static let transparentDb = -60.0

  static func findings(_ bench: ProbeBench) -> [ProbeFinding] {
    do {
      let voice = try ProbeSounds.voice(sampleRateHz: 48_000)
      var settings: SubjectSettings = [:]
      var score = bench.followingScore(noteHz: 220, semitones: 0)
      if !bench.takesIntervals {
        settings["amountPercent"] = .number(0)
        do {
          try bench.subject.validate(bench.settings.merging(settings) { $1 }, for: score.score)
        } catch {
          settings = [:]
          score = bench.score(noteHz: 220, semitones: 0)
        }
      }
      let rendering = try bench.render(voice, score, settings)
      return [finding(rendering.mix, from: voice, statedMs: rendering.reportedLatencyMs)]
    } catch { return [.undefined(.identity, "residual", error)] }
  }

  static func finding(_ output: Signal, from input: Signal, statedMs: Double?) -> ProbeFinding {
    if let bad = output.firstNonFinite {
      return ProbeFinding(
        .identity, "residual", nil, "dB", .poor,
        "not transparent: returned \(output.samples[bad]) at sample \(bad)")
    }
    let measured: WaveformDelay
    do { measured = try WaveformDelay(of: output, from: input) } catch {
      return .undefined(.identity, "residual", error)
    }
    let whole = max(0, Int(measured.delaySamples.rounded()))
    if measured.correlation > 0,
      zip(output.samples.dropFirst(whole), input.samples).allSatisfy({ $0 == $1 })
    {
      return ProbeFinding(
        .identity, "residual", nil, "dB", .good,
        "transparent, bit-identical, \(whole) samples late"
          + stated(statedMs, Double(whole), input))
    }
    let fit = DelayedCopy(of: input, in: output, startingAt: measured.delaySamples)
    let isTransparent = fit.residualDb <= transparentDb && abs(20 * log10(abs(fit.gain))) < 0.1
    return ProbeFinding(
      .identity, "residual", fit.residualDb, "dB", isTransparent ? .good : .poor,
      (isTransparent ? "audibly transparent" : "not transparent")
        + ": residual \(fixed(fit.residualDb)) dB relative to the voice, gain "
        + "\(fixed(20 * log10(abs(fit.gain)), 2)) dB, \(fixed(fit.delaySamples)) samples late"
        + stated(statedMs, fit.delaySamples, input))
  }

  private static func stated(_ ms: Double?, _ late: Double, _ input: Signal) -> String {
    guard let ms else { return "" }
    let samples = ms / 1000 * input.sampleRateHz
    return abs(samples - late) < 1 ? ", as stated" : ", stated \(fixed(samples, 0))"
  }
}

/// The copy of a sound that is nearest to another, by its delay and gain.
private struct DelayedCopy {
  /// Delay to a fraction of a sample.
  private(set) var delaySamples: Double
  private(set) var gain = 0.0
  /// Energy of what the copy leaves of the other sound, relative to that sound.
  private(set) var residualDb = 0.0

  /// Fits gain and delay alternately: the output is a sum of the copy and of its slope, and the share
  /// of the slope is the error of the delay (Gauss-Newton).
  init(of input: Signal, in output: Signal, startingAt delay: Double) {
    delaySamples = delay
    for _ in 0..<3 { delaySamples -= fit(input, output) }
    _ = fit(input, output)
  }

  /// Length of the interpolator's half, where the ends of the sound are missing.
  private static let edge = 32

  /// Returns the error of the delay in samples.
  private mutating func fit(_ input: Signal, _ output: Signal) -> Double {
    let copy = input.delayed { _ in delaySamples / input.sampleRateHz }.samples
    var (xx, xs, ss, yx, ys, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    let first = Self.edge + max(1, Int(delaySamples.rounded(.up)))
    let last = min(output.count, input.count + min(0, Int(delaySamples))) - Self.edge
    for i in first..<max(first, last) {
      let (x, y) = (Double(copy[i]), Double(output.samples[i]))
      let slope = (Double(copy[i + 1]) - Double(copy[i - 1])) / 2
      xx += x * x
      xs += x * slope
      ss += slope * slope
      yx += y * x
      ys += y * slope
      yy += y * y
    }
    gain = xx > 0 ? yx / xx : 0
    residualDb = yy > 0 ? 10 * log10(max(yy - gain * yx, 1e-12 * yy) / yy) : 0
    let determinant = xx * ss - xs * xs
    guard determinant > 0, gain != 0 else { return 0 }
    let share = (ys * xx - yx * xs) / determinant
    return max(-0.5, min(0.5, share / gain))
  }
}
