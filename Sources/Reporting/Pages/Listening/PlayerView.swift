import Foundation
import Platform

/// The view of `clip.mustache` and `player.mustache`: one clip, with the sounds to switch between.
struct PlayerView {
  let clip, title, note: String
  let durationS, shortestS: String
  /// Initial loop; empty for the whole.
  let loop: [LoopView]
  let matched: [String]
  let leftOut: [String]
  let sounds: [SoundView]
  let hasSounds, hasChoice: Bool

  struct LoopView { let fromS, toS: String }

  struct SoundView {
    let index, name, detail, file, outline, loudness, gainDb: String
    /// Key that chooses the sound, 1 to 9; empty for further sounds.
    let key: [String]
    /// Address of its lanes on the workbench; empty for none.
    let lanes: [String]
    let checked: [String]
  }

  /// - Parameter lanes: addresses of lanes by the path of their sound.
  init(_ clip: Clip, on store: SoundStore, lanes: [String: String] = [:]) {
    (self.clip, title, note) = (clip.id, clip.title, clip.note)
    let kept = clip.sounds.compactMap { sound in store.item(sound).map { (sound, $0) } }
    let match = LoudnessMatch(kept.map(\.1.level))
    let durations = kept.map(\.1.durationS)
    durationS = Self.number(durations.max() ?? 0)
    shortestS = Self.number(durations.min() ?? 0)
    loop =
      (clip.loopS).map {
        [LoopView(fromS: Self.number($0.lowerBound), toS: Self.number($0.upperBound))]
      } ?? []
    matched = match.targetLufs.map { [Self.level($0)] } ?? []
    let missing = clip.sounds.count - kept.count
    leftOut = missing == 0 ? [] : [counted(missing, "sound")]
    sounds = kept.indices.map { index in
      let (sound, item) = kept[index]
      return SoundView(
        index: "\(index)", name: sound.name, detail: sound.detail, file: item.file,
        outline: item.outline.text,
        loudness: item.level.loudnessLufs.map { "\(Self.level($0)) LUFS" } ?? "no loudness",
        gainDb: Self.number(match.gainsDb[index] ?? 0),
        key: index < 9 ? ["\(index + 1)"] : [],
        lanes: [lanes[sound.path]].compactMap(\.self), checked: index == 0 ? ["checked"] : [])
    }
    (hasSounds, hasChoice) = (!kept.isEmpty, kept.count > 1)
  }

  /// A number for scripts, rounded to a thousandth.
  private static func number(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

  private static func level(_ lufs: Double) -> String { NumberStyle.decimals(1).text(lufs) }
}
