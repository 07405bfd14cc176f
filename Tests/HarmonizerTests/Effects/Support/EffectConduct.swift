import Effects
import Foundation
import TestSupport

/// Behaviour of effects that change while they run: clicks, reset, silence, tails.
enum EffectConduct {
  /// The loudest click in dB relative to the loudest output, by parameter, while each goes through
  /// its range and back in 1 s, in 100 steps.
  ///
  /// The sound is a tone of 375 Hz, faded in. A jump has energy above 6 kHz, where neither the tone
  /// nor slow changes of it have any. The click is what a high-pass at 6 kHz with 48 dB an octave
  /// leaves.
  static func clicksDb<Settings: EffectSettings>(_ settings: Settings) throws -> [String: Double] {
    let tone = (0..<120_000).map { i in
      let seconds = Double(i) / 48_000
      let fade = seconds < 0.2 ? 0.5 - 0.5 * cos(.pi * seconds / 0.2) : 1
      return Float(0.5 * fade * sin(2 * .pi * 375 * seconds))
    }
    var clicks: [String: Double] = [:]
    for parameter in Settings.parameters {
      guard case .number(let place, let range) = parameter.value else { continue }
      var changes: [Int: Settings] = [:]
      for step in 0...100 {
        var changed = settings
        let share = 1 - abs(1 - Double(step) / 50)
        changed[keyPath: place] = range.lowerBound + share * (range.upperBound - range.lowerBound)
        changes[60_000 + 480 * step] = changed
      }
      let output = try StereoRun(settings).render(tone) { link, start in
        for sample in start..<start + 128 {
          if let changed = changes[sample] { link.apply(changed) }
        }
      }
      let loudest = output.map(abs).max()!
      let high = TestFilter.highPass(6000, order: 8, sampleRateHz: 48_000)
        .apply(output.map(Double.init))
      clicks[parameter.name] = 20 * log10(high.map(abs).max()! / Double(loudest))
    }
    return clicks
  }

  /// Tells whether an effect that was moved to `other` and reset gives the same bits as a new one with
  /// `other`.
  static func forgets<Settings: EffectSettings>(
    _ settings: Settings, movedTo other: Settings
  ) throws -> Bool {
    let noise = Stereo.noise(count: 24_000)
    let run = try StereoRun(settings)
    _ = run.render(noise) { link, start in
      if start == 12_032 { link.apply(other) }
    }
    run.link.reset()
    return run.render(noise) == (try noise.through(other))
  }

  /// Tells whether `seconds` of silence after noise end in zeros, and no output sample is subnormal,
  /// which would cost a processor many times the time.
  static func endsInSilence(_ settings: some EffectSettings, seconds: Double) throws -> Bool {
    let sound = Stereo.noise(count: 4800).followed(bySilence: Int(seconds * 48_000))
    let output = try sound.through(settings)
    let samples = output.left + output.right
    return !samples.contains { $0.isSubnormal }
      && output.left.suffix(480).allSatisfy { $0 == 0 }
      && output.right.suffix(480).allSatisfy { $0 == 0 }
  }

  /// The highest sample left after the stated tail of noise, in dB of full scale, which the noise
  /// reaches.
  static func levelAfterTailDb(
    _ settings: some EffectSettings, sampleRateHz: Double = 48_000
  ) throws -> Double {
    let run = try StereoRun(settings, sampleRateHz: sampleRateHz)
    let sound = Stereo.noise(count: 48_000, level: 1)
      .followed(bySilence: run.link.latencySamples + run.link.tailSamples + 4800)
    let rest = run.render(sound).left.suffix(4800).map(abs).max()!
    return 20 * log10(Double(rest) + 1e-12)
  }
}
