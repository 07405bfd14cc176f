/// A sound in `report.json`.
struct SoundJSON: Encodable {
  let name: String
  let detail: String
  /// Path of the sound; `null`, like its numbers, if the budget had no room for it.
  let file: String?
  let durationS: Double?
  /// Loudness by ITU-R BS.1770-4; `null` for silence and sounds shorter than 400 ms.
  let loudnessLufs: Double?
  let truePeakDbtp: Double?
  /// Gain that makes the sound as loud as the others of its clip.
  let matchGainDb: Double?

  static func all(of clip: Clip, on store: SoundStore) -> [SoundJSON] {
    let items = clip.sounds.map(store.item)
    let gainsDb = LoudnessMatch(items.map { $0?.level ?? .unknown }).gainsDb
    return zip(clip.sounds, zip(items, gainsDb)).map { sound, stored in
      let (item, gainDb) = stored
      return SoundJSON(
        name: sound.name, detail: sound.detail, file: item?.file, durationS: item?.durationS,
        loudnessLufs: item?.level.loudnessLufs, truePeakDbtp: item?.level.truePeakDbtp,
        matchGainDb: gainDb)
    }
  }
}
