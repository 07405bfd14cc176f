import DSP
import Foundation
import Platform

extension Clip {
  /// The view of `clip.mustache` and `player.mustache`: the sounds to switch between.
  ///
  /// - Parameter lanes: addresses of lanes by the path of their sound.
  func player(on store: SoundStore, lanes: [String: String]) -> View {
    let kept = sounds.compactMap { sound in store.item(sound).map { (sound: sound, item: $0) } }
    let match = LoudnessMatch(kept.map(\.item.level))
    let durations = kept.map(\.item.durationS)
    let missing = sounds.count - kept.count
    // Numbers for scripts are rounded to a thousandth.
    func number(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    func level(_ lufs: Double) -> String { NumberStyle.decimals(1).text(lufs) }
    return [
      "clip": id, "title": title, "note": note, "durationS": number(durations.max() ?? 0),
      "shortestS": number(durations.min() ?? 0),
      // Initial loop; none for the whole.
      "loop": loopS.map {
        ["fromS": number($0.lowerBound), "toS": number($0.upperBound)]
      }.part,
      "matched": match.targetLufs.map(level).part,
      "leftOut": missing == 0 ? [] : [counted(missing, "sound")],
      "sounds": kept.enumerated().map { index, one -> View in
        [
          "index": "\(index)", "name": one.sound.name, "detail": one.sound.detail,
          "file": one.item.file, "outline": one.item.outline.text,
          "loudness": one.item.level.loudnessLufs.map { "\(level($0)) LUFS" } ?? "no loudness",
          "gainDb": number(match.gainsDb[index] ?? 0),
          // Key that chooses the sound, 1 to 9; none for further sounds.
          "key": index < 9 ? ["\(index + 1)"] : [],
          // Address of its lanes on the workbench.
          "lanes": lanes[one.sound.path].part, "checked": index == 0 ? ["checked"] : [],
        ]
      }, "hasSounds": !kept.isEmpty, "hasChoice": kept.count > 1,
    ]
  }
}

/// The outline of a sound for the time line of a player: its peaks in columns of equal length, each
/// as one character from `0` (silence) to `z` (the sound's own peak).
///
/// Amplitudes are drawn by their square root, so that quiet consonants stay visible.
struct SoundOutline {
  static let columns = 180

  let text: String

  init(of signal: Signal) {
    let columns = min(Self.columns, signal.count)
    let peaks = (0..<columns).map { column -> Float in
      let range = signal.count * column / columns..<signal.count * (column + 1) / columns
      return signal.samples[range].reduce(0) { max($0, abs($1)) }
    }
    let highest = peaks.max() ?? 0
    text = String(
      peaks.map { peak -> Character in
        let height = highest > 0 ? (peak / highest).squareRoot() : 0
        return Self.digits[Int((height * Float(Self.digits.count - 1)).rounded())]
      })
  }

  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
}
