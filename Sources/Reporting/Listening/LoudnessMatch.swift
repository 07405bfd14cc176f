/// Gains that make the sounds of one clip equally loud, so that the louder one doesn't seem the
/// better one.
///
/// All are brought to one loudness: the usual one, or less where a sound with high peaks would clip
/// there. Sounds without a loudness (silence, under 400 ms) stay as they are.
///
/// - Source: ITU-R BS.1770-4, Annexes 1 and 2.
struct LoudnessMatch: Equatable {
  /// About what streaming services play, less the 3 LU by which one channel counts less than two.
  static let usualLufs = -18.0
  /// Room for what a converter makes of peaks.
  static let ceilingDbtp = -1.0

  /// What all are brought to; `nil` where none has a loudness.
  let targetLufs: Double?
  /// One gain a sound, in their order; `nil` where there is no loudness to match.
  let gainsDb: [Double?]

  init(_ levels: [SoundLevel]) {
    let reachable = levels.compactMap { level -> Double? in
      guard let loudness = level.loudnessLufs, let peak = level.truePeakDbtp else { return nil }
      return loudness + Self.ceilingDbtp - peak
    }
    let target = reachable.min().map { min(Self.usualLufs, $0) }
    targetLufs = target
    gainsDb = levels.map { level in
      guard let target, let loudness = level.loudnessLufs else { return nil }
      return target - loudness
    }
  }
}
