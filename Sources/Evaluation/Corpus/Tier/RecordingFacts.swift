import Analyzer
import DSP
import Foundation
import Music
import Platform
import Singer
import Statistics

/// The facts about a recording that decide its place in a tier.
package struct RecordingFacts: Codable, Equatable, Sendable {
  package var durationSeconds: Double
  /// Median pitch of the voiced frames; `nil` if there are none.
  package var medianF0Hz: Double?

  /// The range of a recording's median pitch.
  package enum Register: String, Sendable {
    case low, middle, high, top

    /// Classifies by the limits E3, E4 and E5: roughly men's voices, men's and women's, women's, and
    /// sopranos'.
    package init(medianF0Hz: Double) {
      self =
        switch medianF0Hz {
        case ..<164.8: .low
        case ..<329.6: .middle
        case ..<659.3: .high
        default: .top
        }
    }
  }

  var register: Register? { medianF0Hz.map { Register(medianF0Hz: $0) } }
}

extension RecordingFacts {
  /// Reads the facts from a performance's notes, without rendering.
  init(of performance: Performance) {
    durationSeconds = performance.durationSeconds
    let voiced = performance.notes.filter {
      !($0.phonation ?? performance.voice.phonation).isWhispered
    }
    let pitches = voiced.flatMap { note in
      // A note counts once for each tenth of a second.
      Array(repeating: note.pitchSemitones, count: max(1, Int(note.durationSeconds * 10)))
    }
    medianF0Hz = Statistics.median(pitches).map { NoteNumber($0).hz }
  }

  /// Measures a sound with the pitch tracker.
  init(of signal: Signal) {
    durationSeconds = signal.durationSeconds
    medianF0Hz = Statistics.median(PitchTracker.standard.track(signal).f0Hz.filter { $0 > 0 })
  }
}

/// A cache of facts beside the sounds, so that a build of the toolkit tracks no recording twice.
package struct RecordingFactsCache {
  /// The facts by the digest of a recording, and the build that measured them.
  private struct File: Codable {
    var toolkit: String
    var facts: [String: RecordingFacts] = [:]
  }

  private let url: URL
  private var known: File
  private var changed = false

  package init(beside corpus: Corpus) {
    url = corpus.audioFolder.appendingPathComponent(".facts.json")
    let data = (try? GivenFile.data(at: url)) ?? Data()
    let file = try? JSONDecoder().decode(File.self, from: data)
    let toolkit = Toolkit.current.digest
    known = file.flatMap { $0.toolkit == toolkit ? $0 : nil } ?? File(toolkit: toolkit)
  }

  package mutating func facts(of entry: ManifestEntry, in corpus: Corpus) throws -> RecordingFacts {
    if let name = entry.syntheticName, let performance = try? Songbook.performance(id: name) {
      return RecordingFacts(of: performance)
    }
    let digest = try corpus.digest(of: entry)
    if let facts = known.facts[digest] { return facts }
    let facts = RecordingFacts(of: try corpus.recording(entry).signal)
    (known.facts[digest], changed) = (facts, true)
    return facts
  }

  /// Writes the cache; does nothing if the folder is read-only.
  package func save() {
    guard changed, let data = try? JSONEncoder.canonical.encode(known) else { return }
    try? WholeFile.write(data, to: url.path)
  }
}
