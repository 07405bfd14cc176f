/// A sound in `report.json`.
struct SoundJSON: Encodable {
  let name: String
  let detail: String
  /// `null` where the budget had no room for it; so are its numbers then.
  let file: String?
  let durationS: Double?
  /// By ITU-R BS.1770-4; `null` in silence and under 400 ms.
  let loudnessLufs: Double?
  let truePeakDbtp: Double?
  /// What makes it as loud as the other sounds of its clip.
  let matchGainDb: Double?

  static func all(of clip: Clip, on shelf: SoundStore) -> [SoundJSON] {
    let items = clip.sounds.map(shelf.item)
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
