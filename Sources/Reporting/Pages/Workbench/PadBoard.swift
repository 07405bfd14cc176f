import Foundation
import Platform

/// The chords of one recording as pads, which play the single voices that a choir rendered.
struct PadBoard: Sendable {
  struct Chord: Sendable {
    /// Name of the chord, or its notes.
    var name: String
    /// Its notes; empty if they are its name.
    var notes = ""
    var rangeS: ClosedRange<Double>
  }

  /// Lower-case letters, digits and hyphens; unique on the page.
  var id: String
  var title: String
  var note: String
  var chords: [Chord]
  /// The lead, which is muted at first; `nil` for none.
  var lead: Sound?
  /// Sounds of the voices, in their order.
  var voices: [Sound]
}

extension PadBoard {
  /// The view of the board in `pads.mustache`, and its data for `pads.js`; `nil` if a voice of the
  /// board is not in the report.
  func pads(on store: SoundStore) -> (view: View, data: JSONObject)? {
    func stored(_ sounds: [Sound]) -> [(name: String, file: String)] {
      sounds.compactMap { sound in store.item(sound).map { (sound.name, $0.file) } }
    }
    let (found, lead) = (stored(voices), stored(lead.map { [$0] } ?? []))
    guard found.count == voices.count, !chords.isEmpty else { return nil }
    let time = NumberStyle.decimals(2)
    let view: View = [
      "id": id, "title": title, "note": note,
      "chords": chords.enumerated().map { index, chord -> View in
        [
          "name": chord.name, "notes": chord.notes,
          "time": "\(time.text(chord.rangeS.lowerBound)) s",
          // Key that plays it, 1 to 9; none for further chords.
          "key": index < 9 ? ["\(index + 1)"] : [],
        ]
      },
      // Number of the colour; none for the lead.
      "stems": found.enumerated().map { index, voice -> View in
        ["name": voice.name, "swatch": ["\(index % 8 + 1)"]]
      } + lead.map { stem -> View in ["name": stem.name, "swatch": [String]()] },
    ]
    let stems = found.map { ($0, false) } + lead.map { ($0, true) }
    // Voices keep their balance. Their sum cannot clip, because none of them does.
    let gainDb = -20 * log10(Double(stems.count))
    let data: JSONObject = [
      "stems": stems.map { sound, isInput -> JSONObject in
        ["name": sound.name, "file": sound.file, "gainDb": gainDb, "isInput": isInput]
      },
      "chords": chords.map { chord -> JSONObject in
        ["name": chord.name, "fromS": chord.rangeS.lowerBound, "toS": chord.rangeS.upperBound]
      },
    ]
    return (view, data)
  }
}
