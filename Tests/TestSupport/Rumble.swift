import DSP
import Foundation

/// Wind noise on a microphone: inaudible infrasound of high amplitude.
public enum Rumble {
  /// Adds four sines of 1 to 5 Hz with a total amplitude of 0.7: 10 to 20 dB above a voice.
  public static func added(to signal: Signal, seed: UInt64) -> Signal {
    var random = SeededGenerator(seed: seed)
    let sines = (0..<4).map { _ in
      (
        height: 0.3 + 0.7 * random.uniform(), hz: 1 + 4 * random.uniform(),
        phase: 2 * Double.pi * random.uniform()
      )
    }
    let scale = 0.7 / sines.reduce(0) { $0 + $1.height }
    return changed(signal) { time in
      scale * sines.reduce(0) { $0 + $1.height * sin(2 * .pi * $1.hz * time + $1.phase) }
    }
  }

  public static func constant(_ value: Double, addedTo signal: Signal) -> Signal {
    changed(signal) { _ in value }
  }

  private static func changed(_ signal: Signal, _ added: (Double) -> Double) -> Signal {
    Signal(
      signal.samples.enumerated().map {
        Float(Double($1) + added(Double($0) / signal.sampleRateHz))
      }, sampleRateHz: signal.sampleRateHz)
  }
}
