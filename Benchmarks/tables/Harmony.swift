import Analyzer
import ArgumentParser
import DSP
import KnownSounds
import Singer

/// Of docs/reference/analyzer.md: notes, keys and chords of the synthetic singer.
struct Harmony: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Notes, keys and chords heard in what the synthetic singer sings.")

  func run() throws {
    try melodies()
    try chords()
  }

  private func melodies() throws {
    var (matched, matchedOnset, found, known) = (0, 0, 0, 0)
    for entry in Songbook.entries where entry.id.hasPrefix("melody") {
      let sung = try Songbook.performance(id: entry.id).render(sampleRateHz: 24_000)
      let track = try PitchTracker().track(sung.signal)
      let notes = try NoteSegmenter().notes(in: track)
      let truth = sung.truth.notes.map {
        Analyzer.Note(
          onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, pitchHz: $0.f0Hz)
      }
      var settings = NoteScore.Settings()
      let whole = NoteScore(of: notes, against: truth, settings)
      settings.offsetShare = nil
      let onset = NoteScore(of: notes, against: truth, settings)
      matched += whole.matched
      matchedOnset += onset.matched
      found += notes.count
      known += truth.count
      let keys = KeyEstimate.Profiles.allCases.map { profiles in
        KeyEstimate(of: PitchClassProfile(of: notes), by: profiles).map {
          "\($0.best.name) (\($0.margin), \($0.tuningCents ?? .nan) cents)"
        } ?? "none"
      }
      print("TABLE", entry.id, "F", whole.f!, "without offsets", onset.f!, keys)
    }
    print("notes", known, "found", found, "F", 2 * Double(matched) / Double(found + known))
    print("without offsets", 2 * Double(matchedOnset) / Double(found + known))
  }

  private func chords() throws {
    var right: [ChordRule: Int] = [:]
    for number in 0..<28 {
      let (signal, label) = try ChordOfVoices.mix(number, seed: 3)
      let found = try ChordListener().chord(of: signal).chord
      let truth = try ChordLabel(label)
      for rule in ChordRule.allCases where rule.agree(truth, found) == true {
        right[rule, default: 0] += 1
      }
    }
    print("chords of 28:", right.map { "\($0.key.rawValue) \($0.value)" }.sorted())
  }
}
