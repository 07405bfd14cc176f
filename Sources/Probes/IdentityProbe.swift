import Analyzer
import Corpus
import DSP
import Files
import Foundation
import Subjects

/// Tests that a subject passes sound unchanged when told to: a shift of 0 semitones, or a tuner
/// that corrects by 0 %.
enum IdentityProbe {
  /// Residual below which a difference is masked by the voice itself.
  private static let transparentDb = -60.0

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
    let measured: WaveformDelay
    do { measured = try WaveformDelay(of: output, from: input) } catch {
      return .undefined(.identity, "residual", error)
    }
    let late = max(0, Int(measured.delaySamples.rounded()))
    let pairs = zip(output.samples.dropFirst(late), input.samples)
    if measured.correlation > 0, pairs.allSatisfy({ $0 == $1 }) {
      return ProbeFinding(
        .identity, "residual", nil, "dB", .good,
        "transparent, bit-identical, \(late) samples late" + stated(statedMs, late, input))
    }
    // The best gain is removed: a voice that is only softer is the same voice.
    var (product, square, energy) = (0.0, 0.0, 0.0)
    for (out, into) in pairs {
      product += Double(out) * Double(into)
      square += Double(into) * Double(into)
      energy += Double(out) * Double(out)
    }
    guard square > 0, energy > 0 else {
      return .undefined(.identity, "residual", "the output is silent")
    }
    let gain = product / square
    let rest = max(energy - gain * product, 1e-30)
    let residualDb = 10 * log10(rest / energy)
    let isTransparent = residualDb <= transparentDb && abs(20 * log10(abs(gain))) < 0.1
    return ProbeFinding(
      .identity, "residual", residualDb, "dB", isTransparent ? .good : .poor,
      (isTransparent ? "audibly transparent" : "not transparent")
        + ": residual \(fixed(residualDb)) dB relative to the voice, gain "
        + "\(fixed(20 * log10(abs(gain)), 2)) dB, \(fixed(measured.delaySamples)) samples late"
        + stated(statedMs, late, input))
  }

  private static func stated(_ ms: Double?, _ late: Int, _ input: Signal) -> String {
    guard let ms else { return "" }
    let samples = ms / 1000 * input.sampleRateHz
    return abs(samples - Double(late)) < 1 ? ", as stated" : ", stated \(fixed(samples, 0))"
  }
}
