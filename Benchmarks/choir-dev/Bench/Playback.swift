import ArgumentParser
import DSP
import Foundation
import Harmonizer
import Music
import TestSupport

/// The tables of docs/reference/music.md#samples: errors of reading samples at other speeds, and the
/// cost of a metronome.
struct Playback: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure errors of reading at other speeds, and the cost of a metronome.")

  func run() throws {
    try reading()
    try aliasing()
    try cost()
  }

  /// Prints the largest residual beside a tone, over tones up to 0.8 of the lower Nyquist
  /// frequency, and the largest error of their levels.
  private func reading() throws {
    for speed in [0.25, 0.5, 0.9, 1.059463094, 1.26, 1.5, 1.9, 2, 3, 4, 7.3, 16] {
      var (residual, level, linear) = (-Double.infinity, 0.0, -Double.infinity)
      for share in [0.02, 0.1, 0.3, 0.5, 0.7, 0.8] {
        let hz = share * 24_000 / max(1, speed)
        let tone = Self.tone(hz: hz, seconds: 2)
        let sample = try Sample(tone, Self.plain { $0.speed = speed })
        let sound = sample.rendered(sampleRateHz: 48_000).samples
        let fit = SineFit(
          sound[sound.count / 4..<min(sound.count * 3 / 4, sound.count / 4 + 5000)],
          hz: hz * speed, sampleRateHz: 48_000)
        residual = max(residual, fit.residualDb)
        level = max(level, abs(20 * log10(fit.amplitude / 0.5)))
        let straight = (2000..<4500).map { i -> Float in
          let place = Double(i) * speed
          let (whole, rest) = (Int(place), Float(place - place.rounded(.down)))
          return tone.samples[whole] + rest * (tone.samples[whole + 1] - tone.samples[whole])
        }
        let crude = SineFit(straight, hz: hz * speed, sampleRateHz: 48_000)
        linear = max(linear, crude.residualDb)
      }
      print("speed", speed, "residual dB", residual, "level dB", level, "linear dB", linear)
    }
  }

  /// Prints the largest level left of tones above the output's Nyquist frequency.
  private func aliasing() throws {
    for speed in [1.26, 1.5, 2, 3, 7.3, 16] {
      var worst = -Double.infinity
      for share in [1.1, 1.2, 1.5, 1.9] {
        let hz = share * 24_000 / speed
        guard hz < 24_000 * 0.99 else { continue }
        let sample = try Sample(Self.tone(hz: hz, seconds: 1), Self.plain { $0.speed = speed })
        let sound = sample.rendered(sampleRateHz: 48_000).samples
        let middle = sound[sound.count / 3..<sound.count * 2 / 3]
        let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
        worst = max(worst, 10 * log10(max(power, 1e-30) / 0.125))
      }
      print("alias at speed", speed, "dB", worst)
    }
  }

  /// Prints the share of a core for a metronome at 48 kHz.
  private func cost() throws {
    var metronome = Metronome(tempo: try TempoMap(beatsPerMinute: 120), sampleRateHz: 48_000)
    let silence = [Float](repeating: 0, count: 480_000)
    let start = clockSeconds()
    _ = metronome.render(silence)
    print("metronome percent", (clockSeconds() - start) * 10)
  }

  private func clockSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// A sine with zero crossings halfway between samples.
  private static func tone(hz: Double, seconds: Double) -> Signal {
    let samples = (0..<Int(seconds * 48_000)).map { place -> Float in
      let turn = 2 * .pi * hz * (Double(place) + 0.5) / 48_000
      return Float(0.5 * sin(turn))
    }
    return Signal(samples, sampleRateHz: 48_000)
  }

  private static func plain(_ change: (inout Sample.Settings) -> Void) -> Sample.Settings {
    var settings = Sample.Settings()
    (settings.fadeMs, settings.snapMs) = (0, 0)
    change(&settings)
    return settings
  }
}
