import DSP
import Foundation

/// The level of a voice without its pauses.
///
/// A frame of 20 ms is active if its level is at most 15.9 dB below the mean level of all active
/// frames. The definition refers to itself, so it is iterated until the set of frames is stable.
///
/// - Source: the margin is that of ITU-T P.56 (2011), method B. Its envelope and hangover, which
///   bridge pauses between words, are left out.
public enum ActiveLevel {
  private static let frameSeconds = 0.02
  private static let marginDb = 15.9

  /// Returns the root mean square over active frames; 0 for silence.
  public static func rms(of signal: Signal) -> Double {
    let length = max(1, Int(frameSeconds * signal.sampleRateHz))
    let heard = signal.withoutInfrasound().samples
    var active = stride(from: 0, to: signal.count, by: length).map { start -> Double in
      let frame = heard[start..<min(start + length, signal.count)]
      let energy = frame.reduce(0.0) { $0 + Double($1) * Double($1) }
      return energy / Double(frame.count)
    }
    active.removeAll { $0 <= 0 }
    let margin = pow(10, -marginDb / 10)
    while !active.isEmpty {
      let mean = active.reduce(0, +) / Double(active.count)
      let louder = active.filter { $0 >= mean * margin }
      if louder.count == active.count { return mean.squareRoot() }
      active = louder
    }
    return 0
  }
}
