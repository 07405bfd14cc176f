import DSP
import Foundation
import Platform

/// A part of the page with its own heading.
package struct Section: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page.
  var id: String
  package var title: String
  package var intro = ""
  var drawings: [Drawing] = []
  package var tables: [Table] = []
  var clips: [Clip] = []
  /// True for details: text, drawings and tables are folded, players are not.
  package var isFolded = false

  /// The section with its details folded.
  var folded: Section {
    var section = self
    section.isFolded = true
    return section
  }

  /// The section without drawings that have nothing to draw; their players stay.
  var withoutEmptyDrawings: Section {
    var section = self
    section.clips += drawings.filter(\.plot.isEmpty).compactMap(\.clip)
    section.drawings.removeAll(where: \.plot.isEmpty)
    return section
  }

  /// All clips, including those below figures.
  var allClips: [Clip] { drawings.compactMap(\.clip) + clips }
}

/// A recording with its outputs, to listen to.
struct Clip {
  /// Lower-case letters, digits and hyphens; unique on the page; names the folder of its sounds.
  var id: String
  var title: String
  /// Points to listen for, with licence and attribution.
  var note = ""
  var sounds: [Sound]
  /// Part that loops initially, such as the time around an error; `nil` for none.
  var loopS: ClosedRange<Double>?
}

/// One sound of a clip: the input, the mix or a single voice.
struct Sound {
  var name: String
  /// Detail beside the name, such as the settings.
  var detail: String
  /// Path of a sound file that is encoded into the report; with `made`, a unique name instead.
  var path: String
  /// The sound itself, if it is not in a file.
  var made: Signal?

  init(_ name: String, detail: String = "", path: String, made: Signal? = nil) {
    (self.name, self.detail, self.path, self.made) = (name, detail, path, made)
  }
}

extension CodingUserInfoKey {
  /// The stored sounds that `report.json` names: a `SoundStore`.
  static let sounds = CodingUserInfoKey(rawValue: "sounds")!
}

extension Section: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let section: JSONObject = [
      "id": id, "title": title, "intro": intro, "figures": drawings, "tables": tables,
      "clips": allClips,
    ]
    try section.encode(to: encoder)
  }
}

extension Clip: Encodable {
  /// Encodes the sounds without file and numbers where the budget had no room for them.
  func encode(to encoder: any Encoder) throws {
    let items = sounds.map { (encoder.userInfo[.sounds] as? SoundStore)?.item($0) }
    let gainsDb = LoudnessMatch(items.map { $0?.level ?? .unknown }).gainsDb
    let clip: JSONObject = [
      "id": id, "title": title, "note": note,
      "sounds": sounds.indices.map { index -> JSONObject in
        let (sound, item) = (sounds[index], items[index])
        return [
          "name": sound.name, "detail": sound.detail, "file": item?.file,
          "durationS": item?.durationS, "loudnessLufs": item?.level.loudnessLufs,
          "truePeakDbtp": item?.level.truePeakDbtp, "matchGainDb": gainsDb[index],
        ]
      },
    ]
    try clip.encode(to: encoder)
  }
}
