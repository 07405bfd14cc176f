import Analyzer
import DSP
import Foundation
import Platform
import Singer

/// Recordings synthesized on use: probes, and performances of the synthetic singer.
enum SyntheticRecording {
  /// Version of the sounds. Raise it when a recording of the same name sounds different.
  private static let version = 1
  private static let rateHz = 48_000.0

  static func isKnown(_ name: String) -> Bool {
    ["impulses", StressedVoice.name].contains(name)
      || (try? Songbook.performance(id: name)) != nil
  }

  /// Returns a digest of the name and the version, which determine the sound.
  static func digest(_ name: String) throws -> String {
    guard isKnown(name) else {
      throw Refusal(
        "the manifest names the synthetic recording '\(name)', which this version does not know; "
          + "remove its row or update choir-eval")
    }
    return Digest.sha256("synthetic:\(name):\(version)@\(rateHz)")
  }

  static func make(_ name: String, for entry: ManifestEntry) throws -> Recording {
    let digest = try digest(name)
    guard name != "impulses" else {
      return Recording(entry: entry, signal: impulses(), digest: digest, truth: nil)
    }
    let isStressed = name == StressedVoice.name
    let song = isStressed ? StressedVoice.song : name
    let rendering = try Songbook.performance(id: song).render(sampleRateHz: rateHz)
    let before = isStressed ? StressedVoice.stress(sampleRateHz: rateHz) : []
    let start = Double(before.count) / rateHz
    var annotations = Annotations()
    annotations.phones = rendering.truth.phones.map {
      LabelledSpan(
        onsetSeconds: start + $0.onsetSeconds, offsetSeconds: start + $0.offsetSeconds,
        label: $0.phone.rawValue)
    }
    return Recording(
      entry: entry, signal: Signal(before + rendering.signal.samples, sampleRateHz: rateHz),
      digest: digest, truth: PitchTrack(of: rendering.truth).preceded(bySilenceOf: start),
      annotations: annotations)
  }

  /// Returns 400 impulses, far enough apart for delays up to 200 ms.
  ///
  /// The golden ratio spreads them evenly over the phase of any sweep. The mean over their delays is
  /// then the mean over the sweep, within 0.5 % of its range.
  private static func impulses() -> Signal {
    let (count, apart, spread) = (400, 10_007.0, 1_990.0)
    var samples = [Float](repeating: 0, count: Int(Double(count) * apart + spread + apart))
    for n in 0..<count {
      let golden = (Double(n) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      samples[Int(1_000 + Double(n) * apart + golden * spread)] = 0.9
    }
    return Signal(samples, sampleRateHz: rateHz)
  }
}

/// A voice after sounds that break harmonizers: silence, a constant offset, and noise at full scale.
///
/// What a program keeps of them (a filter that has not settled, a level, a period, a sample that is no
/// number) spoils the voice that follows, whose pitch and phones are known.
enum StressedVoice {
  static let name = "after-stress"
  /// The performance that follows.
  static let song = "vowel-i-alto"

  /// Returns 5 s of stress, which end with half a second of silence.
  static func stress(sampleRateHz: Double) -> [Float] {
    var random = SeededGenerator(seed: 1)
    let parts: [(seconds: Double, value: () -> Float)] = [
      (1, { 0 }),
      (3, { 0.5 }),
      (0.5, { Float(2 * random.uniform() - 1) }),
      (0.5, { 0 }),
    ]
    return parts.flatMap { part in
      (0..<Int(part.seconds * sampleRateHz)).map { _ in part.value() }
    }
  }
}
