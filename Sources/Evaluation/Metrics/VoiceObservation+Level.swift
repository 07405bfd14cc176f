import Analyzer
import DSP
import Foundation

extension VoiceObservation {
  /// Returns the voice's level below 3.9 kHz over that of the lead in each frame in which the voice
  /// has its target and is heard.
  var levelsDb: [Double] {
    guard let delaySeconds = delay.seconds else { return [] }
    return toldFrames.compactMap { frame in
      let time = Double(frame) * heard.hopSeconds
      guard heard.f0Hz.indices.contains(frame), heard.f0Hz[frame] > 0,
        let own = power(ofFrame: frame, atSeconds: time),
        let other = lead.lowPower(atSeconds: time - delaySeconds), own > 0, other > 1e-12
      else { return nil }
      return 10 * log10(own / other)
    }
  }

  private func power(ofFrame frame: Int, atSeconds time: Double) -> Double? {
    switch source {
    case .stem(let sound): return sound.lowPower(atSeconds: time)
    case .mix(let mix, let voice):
      guard case .measured(let heard) = mix.voices.voices[voice][frame] else { return nil }
      return heard.power
    }
  }
}

extension AnalyzedSound {
  private static let frameSeconds = 0.048

  /// Returns the mean power below 3.9 kHz of 48 ms around a time; `nil` outside of the sound.
  func lowPower(atSeconds time: Double) -> Double? {
    let sums = energies
    let half = Self.frameSeconds / 2
    let (from, to) = (
      Int((time - half) * Self.lowRateHz), Int((time + half) * Self.lowRateHz)
    )
    guard from >= 0, to < sums.count, from < to else { return nil }
    return (sums[to] - sums[from]) / Double(to - from)
  }
}
