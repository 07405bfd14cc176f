import Analyzer
import AudioFile

/// Gains that make the sounds of one clip equally loud, because a louder sound seems better.
///
/// The common loudness is the default, or less if a sound with high peaks would clip there. Sounds
/// without a loudness (silence, shorter than 400 ms) stay unchanged.
///
/// - Source: ITU-R BS.1770-4, Annexes 1 and 2.
struct LoudnessMatch: Equatable {
  /// Default loudness: about that of streaming services, less the 3 LU between one and two channels.
  static let defaultLufs = -18.0
  /// Highest true peak, which leaves headroom for converters.
  static let ceilingDbtp = -1.0

  /// Common loudness; `nil` if no sound has a loudness.
  let targetLufs: Double?
  /// Gains in the order of the sounds; `nil` for a sound without a loudness.
  let gainsDb: [Double?]

  init(_ levels: [SoundLevel]) {
    let reachable = levels.compactMap { level -> Double? in
      guard let loudness = level.loudnessLufs, let peak = level.truePeakDbtp else { return nil }
      return loudness + Self.ceilingDbtp - peak
    }
    let target = reachable.min().map { min(Self.defaultLufs, $0) }
    targetLufs = target
    gainsDb = levels.map { level in
      guard let target, let loudness = level.loudnessLufs else { return nil }
      return target - loudness
    }
  }
}

/// Loudness and true peak of a sound, which matching its loudness needs.
struct SoundLevel: Equatable {
  /// Integrated loudness by ITU-R BS.1770-4; `nil` for silence and sounds shorter than 400 ms.
  var loudnessLufs: Double?
  /// Highest peak between the samples of any channel; `nil` for silence.
  var truePeakDbtp: Double?

  static let unknown = SoundLevel(loudnessLufs: nil, truePeakDbtp: nil)

  init(loudnessLufs: Double?, truePeakDbtp: Double?) {
    (self.loudnessLufs, self.truePeakDbtp) = (loudnessLufs, truePeakDbtp)
  }

  init(of file: AudioFile) {
    let channels = file.channels.indices.map(file.channel)
    let level = Level.ofChannels(channels).all
    (loudnessLufs, truePeakDbtp) = (level.integratedLufs, level.truePeakDbtp)
  }
}
