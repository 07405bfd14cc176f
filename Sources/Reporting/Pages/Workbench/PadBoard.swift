import Foundation

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

/// The view of a board in `pads.mustache`, and its data for `pads.js`.
struct PadBoardView {
  let id, title, note: String
  let chords: [ChordView]
  let stems: [StemView]
  let data: Content

  struct ChordView {
    let name, notes, time: String
    /// Key that plays it, 1 to 9; empty for further chords.
    let key: [String]
  }

  struct StemView {
    let name: String
    /// Number of its colour; empty for the lead.
    let swatch: [String]
  }

  struct Content: Encodable {
    let stems: [Stem]
    let chords: [Chord]

    struct Stem: Encodable {
      let name, file: String
      let gainDb: Double
      let isInput: Bool
    }

    struct Chord: Encodable {
      let name: String
      let fromS, toS: Double
    }
  }

  /// Returns `nil` if a voice of the board is not in the report.
  init?(_ board: PadBoard, on store: SoundStore) {
    let voices = board.voices.compactMap { sound in store.item(sound).map { (sound, $0) } }
    guard voices.count == board.voices.count, !board.chords.isEmpty else { return nil }
    let lead = board.lead.flatMap { sound in store.item(sound).map { (sound, $0) } }
    (id, title, note) = (board.id, board.title, board.note)
    let time = NumberStyle.decimals(2)
    chords = board.chords.enumerated().map { index, chord in
      ChordView(
        name: chord.name, notes: chord.notes, time: "\(time.text(chord.rangeS.lowerBound)) s",
        key: index < 9 ? ["\(index + 1)"] : [])
    }
    stems =
      voices.enumerated().map {
        StemView(name: $0.element.0.name, swatch: ["\($0.offset % 8 + 1)"])
      } + (lead.map { [StemView(name: $0.0.name, swatch: [])] } ?? [])
    // Voices keep their balance. Their sum cannot clip, because none of them does.
    let gainDb = -20 * log10(Double(stems.count))
    data = Content(
      stems: voices.map { .init(name: $0.0.name, file: $0.1.file, gainDb: gainDb, isInput: false) }
        + (lead.map { [.init(name: $0.0.name, file: $0.1.file, gainDb: gainDb, isInput: true)] }
          ?? []),
      chords: board.chords.map {
        .init(name: $0.name, fromS: $0.rangeS.lowerBound, toS: $0.rangeS.upperBound)
      })
  }
}
