import DSP

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
