import Analyzer
import DSP

/// A gate that is open while the lead is unvoiced, delayed by the subject's stated latency, with
/// ramps of 5 ms.
struct UnvoicedGate {
  private let gain: [Float]
  private let sampleRateHz: Double

  init(_ lead: PitchTrack, delayMs: Double, sampleRateHz: Double) {
    let late = delayMs / 1000
    let hop = lead.hopSeconds
    self.sampleRateHz = sampleRateHz
    let step = Float(1 / (0.005 * sampleRateHz))
    let count = Int((Double(lead.f0Hz.count) * hop + late) * sampleRateHz) + 1
    var level: Float = 1
    gain = (0..<count).map { i in
      let frame = Int(((Double(i) / sampleRateHz - late) / hop).rounded())
      let isVoiced = lead.f0Hz.indices.contains(frame) && lead.f0Hz[frame] > 0
      level = isVoiced ? max(0, level - step) : min(1, level + step)
      return level
    }
  }

  private func at(_ i: Int) -> Float { i < gain.count ? gain[i] : 1 }

  /// Returns `other` while the gate is open and `sound` otherwise.
  func mixed(_ sound: Signal, _ other: Signal) -> Signal {
    Signal(
      sound.samples.indices.map { i in
        sound.samples[i] + at(i) * (other.samples[i] - sound.samples[i])
      }, sampleRateHz: sound.sampleRateHz)
  }

  func only(_ sound: Signal) -> Signal {
    Signal(sound.samples.enumerated().map { $1 * at($0) }, sampleRateHz: sound.sampleRateHz)
  }
}
