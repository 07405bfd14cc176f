import Foundation
import Testing

@testable import Analyzer

@Suite struct MelodyScoreTests {
  struct Vectors: Decodable {
    struct Tune: Decodable {
      var referenceSeconds: [Double]
      var referenceHz: [Double]
      var estimateSeconds: [Double]
      var estimateHz: [Double]
      var scores: [String: Double]
    }
    struct Notes: Decodable {
      /// Onset (s), offset (s) and pitch (Hz) of each note.
      var reference: [[Double]]
      var estimate: [[Double]]
      var scores: [String: Double]
    }
    var melodies: [Tune]
    var notes: [Notes]
  }

  private let vectors = try! golden("melody.json", as: Vectors.self)

  /// Both programs count frames, so only the last bits of a quotient may differ.
  @Test func scoresAreThoseOfMirEval() throws {
    #expect(vectors.melodies.count == 12)
    for (index, tune) in vectors.melodies.enumerated() {
      let score = MelodyScore(
        of: try Melody(seconds: tune.estimateSeconds, hz: tune.estimateHz),
        against: try Melody(seconds: tune.referenceSeconds, hz: tune.referenceHz))
      let found = [
        "Raw Pitch Accuracy": score.rawPitchAccuracy ?? 0,
        "Raw Chroma Accuracy": score.rawChromaAccuracy ?? 0,
        "Voicing Recall": score.voicingRecall ?? 1,
        "Voicing False Alarm": score.voicingFalseAlarm ?? 0,
        "Overall Accuracy": score.overallAccuracy,
      ]
      for (name, value) in found {
        #expect(abs(value - tune.scores[name]!) < 1e-12, "\(name) of melody \(index)")
      }
    }
  }

  @Test func notesAreThoseOfMirEval() {
    #expect(vectors.notes.count == 12)
    for (index, vector) in vectors.notes.enumerated() {
      func notes(_ rows: [[Double]]) -> [Note] {
        rows.map { Note(onsetSeconds: $0[0], offsetSeconds: $0[1], pitchHz: $0[2]) }
      }
      var settings = NoteScore.Settings()
      for suffix in ["", "_no_offset"] {
        if !suffix.isEmpty { settings.offsetShare = nil }
        let score = NoteScore(
          of: notes(vector.estimate), against: notes(vector.reference), settings)
        let found = [
          "Precision": score.precision, "Recall": score.recall, "F-measure": score.f,
        ]
        for (name, value) in found {
          #expect(
            abs(value! - vector.scores[name + suffix]!) < 1e-12, "\(name + suffix), case \(index)")
        }
      }
      settings.pitchCents = nil
      let onsets = NoteScore(of: notes(vector.estimate), against: notes(vector.reference), settings)
      #expect(abs(onsets.f! - vector.scores["Onset_F-measure"]!) < 1e-12)
    }
  }

  /// Frames of 0 Hz hold the last pitch: pitch is not interpolated down to 0 Hz.
  @Test func aRestDoesNotBendThePitchBesideIt() throws {
    let estimate = try Melody(seconds: [0, 0.02, 0.04], hz: [200, 0, 200])
    let sampled = estimate.sampled(atSeconds: [0, 0.01, 0.02, 0.03, 0.04])
    let cents = 1200 * log2(20.0)
    for (found, expected) in zip(sampled.cents, [cents, cents, 0, 0, cents]) {
      #expect(abs(found - expected) < 1e-9)
    }
    #expect(sampled.isVoiced == [true, true, false, false, true])
  }

  @Test func emptySequencesHaveNoScore() throws {
    let rest = try Melody(seconds: [0, 0.01], hz: [0, 0])
    let tone = try Melody(seconds: [0, 0.01], hz: [220, 220])
    #expect(MelodyScore(of: tone, against: rest).rawPitchAccuracy == nil)
    #expect(MelodyScore(of: tone, against: rest).voicingFalseAlarm == 1)
    #expect(MelodyScore(of: tone, against: tone).voicingFalseAlarm == nil)
    let note = Note(onsetSeconds: 0, offsetSeconds: 1, pitchHz: 220)
    let missed = NoteScore(of: [], against: [note])
    #expect(missed.precision == nil && missed.recall == 0 && missed.f == 0)
  }

  @Test func invalidCurvesThrow() {
    func failure(_ seconds: [Double], _ hz: [Double]) -> Melody.Failure? {
      do throws(Melody.Failure) {
        _ = try Melody(seconds: seconds, hz: hz)
        return nil
      } catch { return error }
    }
    #expect(failure([], []) == .empty)
    #expect(failure([0], []) == .countsDiffer(seconds: 1, hz: 0))
    #expect(failure([0, 0], [1, 1]) == .timesNotRising(index: 1))
    #expect(failure([-1], [1]) == .timesNotRising(index: 0))
    #expect(failure([0], [.nan]) == .notFinite(index: 0))
  }

  /// A greedy pairing would give the first the only partner of the second.
  @Test func thePairingHasTheMostPairs() {
    #expect(BipartiteMatching.size([[0, 1], [0]], rightCount: 2) == 2)
    #expect(BipartiteMatching.size([[0], [0]], rightCount: 1) == 1)
    #expect(BipartiteMatching.size([], rightCount: 0) == 0)
  }
}
