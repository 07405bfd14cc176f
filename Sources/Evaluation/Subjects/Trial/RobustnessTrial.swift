import AudioFile
import DSP
import Foundation
import Platform

/// Feeds a subject sounds that are no voice and tests that its output stays finite and bounded.
public enum RobustnessTrial {
  /// Highest sample magnitude that is still harmless to listeners.
  private static let loudestPeak: Float = 4

  /// Returns the findings on all sounds, in a fixed order.
  ///
  /// - Cost: that of rendering about 20 s of sound. An external program is called about 20 times.
  public static func findings(of bench: ProbeBench) -> [ProbeFinding] {
    let rateHz = 48_000.0
    let tone = ProbeSounds.steady(hz: 220, seconds: 1, sampleRateHz: rateHz)
    func constant(_ value: Float) -> Signal {
      ProbeSounds.constant(value, seconds: 1, sampleRateHz: rateHz)
    }
    var clicks = tone
    for i in stride(from: 5000, to: clicks.count, by: 9000) { clicks.samples[i] = 1 }
    var findings = [
      plain(bench, "silence", constant(0), mustBeSilent: true),
      plain(bench, "dc", constant(0.5)),
      plain(bench, "noise", ProbeSounds.noise(seconds: 1, sampleRateHz: rateHz)),
      plain(bench, "clicks", clicks),
      plain(bench, "square", ProbeSounds.square(seconds: 1, sampleRateHz: rateHz)),
      plain(bench, "silence, then voice", pausing(tone)),
      afterConstant(bench, tone),
      recovery(bench, "nan", tone, bad: .nan),
      recovery(bench, "infinity", tone, bad: .infinity),
    ]
    for rate in [8_000.0, 16_000, 44_100, 96_000, 192_000] {
      findings.append(
        plain(
          bench, "\(fixed(rate / 1000, rate == 44_100 ? 1 : 0)) kHz",
          ProbeSounds.steady(hz: 220, seconds: 0.5, sampleRateHz: rate)))
    }
    for count in [0, 1, 17] {
      findings.append(
        plain(
          bench, "\(count) samples",
          Signal(Array(tone.samples.dropFirst(5000).prefix(count)), sampleRateHz: rateHz)))
    }
    return findings
  }

  /// A tone before and after half a second of silence.
  private static func pausing(_ tone: Signal) -> Signal {
    let silence = [Float](repeating: 0, count: Int(0.5 * tone.sampleRateHz))
    return Signal(tone.samples + silence + tone.samples, sampleRateHz: tone.sampleRateHz)
  }

  private static func plain(
    _ bench: ProbeBench, _ name: String, _ sound: Signal, mustBeSilent: Bool = false
  ) -> ProbeFinding {
    do {
      let output = try bench.render(sound, bench.score(noteHz: 220, semitones: 4)).mix
      if let problem = problem(output, of: sound) {
        return ProbeFinding(.robustness, name, .poor, problem)
      }
      let peak = output.samples.reduce(Float(0)) { max($0, abs($1)) }
      let peakDb = peak > 0 ? 20 * log10(Double(peak)) : nil
      if mustBeSilent, let peakDb {
        return ProbeFinding(
          .robustness, name, peakDb, "dBFS", peakDb < -90 ? .good : .poor,
          "silence in, \(fixed(peakDb)) dBFS out")
      }
      return ProbeFinding(
        .robustness, name, peakDb, "dBFS", peak <= loudestPeak ? .good : .poor,
        peakDb.map { "finite, peak \(fixed($0)) dBFS" } ?? "the output is silent")
    } catch {
      return refused(name, error)
    }
  }

  /// Tests a tone after four seconds of a constant: a filter or a level control that drifted meanwhile
  /// must have come back. The level is compared over the last half of the tone.
  private static func afterConstant(_ bench: ProbeBench, _ tone: Signal) -> ProbeFinding {
    let name = "dc, then voice"
    let (rateHz, score) = (tone.sampleRateHz, bench.score(noteHz: 220, semitones: 4))
    let constant = [Float](repeating: 0.5, count: Int(4 * rateHz))
    do {
      let clean = try bench.render(tone, score).mix
      let sound = Signal(constant + tone.samples, sampleRateHz: rateHz)
      let output = try bench.render(sound, score).mix
      if let problem = problem(output, of: sound) {
        return ProbeFinding(.robustness, name, .poor, problem)
      }
      let level = try levels((clean, output), of: (tone, sound), last: tone.count / 2, bench, score)
      return ProbeFinding(
        .robustness, name, level.changeDb, "dB", level.isChanged ? .poor : .good,
        level.isChanged
          ? "\(fixed(level.changeDb)) dB from the level without the constant before it"
          : "as loud as without the constant before it")
    } catch { return refused(name, error) }
  }

  /// Tests bad samples inside a tone: the output must stay finite and soon equal the output
  /// without them.
  private static func recovery(
    _ bench: ProbeBench, _ name: String, _ sound: Signal, bad value: Float
  ) -> ProbeFinding {
    let place = sound.count / 3
    var bad = sound
    for i in place..<place + 4 { bad.samples[i] = value }
    let score = bench.score(noteHz: 220, semitones: 4)
    do {
      let clean = try bench.render(sound, score).mix
      let output = try bench.render(bad, score).mix
      if let problem = problem(output, of: bad) {
        return ProbeFinding(.robustness, name, .poor, problem)
      }
      let minDifference = 0.01 * Float(clean.rms + 1e-9)
      let last = output.samples.indices.last {
        abs(output.samples[$0] - clean.samples[$0]) > minDifference
      }
      let ms = last.map { Double($0 + 1 - place) / sound.sampleRateHz * 1000 } ?? 0
      let endMs = Double(sound.count - place) / sound.sampleRateHz * 1000
      // A grain at another position keeps differing without being wrong.
      guard ms < endMs - 50 else {
        let level = try levels((clean, output), of: (sound, bad), last: 12_000, bench, score)
        return ProbeFinding(
          .robustness, name, level.changeDb, "dB", level.isChanged ? .poor : .good,
          level.isChanged
            ? "does not recover: \(fixed(level.changeDb)) dB from the clean level"
            : "all samples finite; continues as loud, with other samples")
      }
      return ProbeFinding(
        .robustness, name, max(0, ms), "ms", .good,
        "all samples finite; fully recovered after \(fixed(max(0, ms), 0)) ms")
    } catch { return refused(name, error) }
  }

  /// Compares how loud the ends of two renderings are: of a sound, and of one with a disturbance.
  ///
  /// - Parameters:
  ///   - outputs: the first renderings of the two.
  ///   - inputs: the sounds to render again.
  private static func levels(
    _ outputs: (clean: Signal, disturbed: Signal), of inputs: (clean: Signal, disturbed: Signal),
    last count: Int, _ bench: ProbeBench, _ score: ResolvedScore
  ) throws -> LevelTrial {
    func pair(_ clean: Signal, _ disturbed: Signal) -> LevelTrial.Pair {
      (levelDb(clean, last: count), levelDb(disturbed, last: count))
    }
    return try LevelTrial(pair(outputs.clean, outputs.disturbed)) {
      pair(try bench.render(inputs.clean, score).mix, try bench.render(inputs.disturbed, score).mix)
    }
  }

  /// The level of the last samples of a sound, at least -180 dBFS.
  private static func levelDb(_ sound: Signal, last count: Int) -> Double {
    let part = Signal(Array(sound.samples.suffix(count)), sampleRateHz: sound.sampleRateHz)
    return 20 * log10(max(part.rms, 1e-9))
  }

  private static func problem(_ output: Signal, of input: Signal) -> String? {
    guard output.count == input.count else {
      return "returned \(output.count) samples, expected \(input.count)"
    }
    return output.firstNonFinite.map { "returned \(output.samples[$0]) at sample \($0)" }
  }

  /// Reports a failure; undefined if no sound file can hold the input of an external program.
  private static func refused(_ name: String, _ error: any Error) -> ProbeFinding {
    if error is AudioFileError {
      return ProbeFinding(.robustness, name, .undefined, "sound files can't hold this input")
    }
    return ProbeFinding(.robustness, name, .poor, "refused or failed: \(error)")
  }
}
