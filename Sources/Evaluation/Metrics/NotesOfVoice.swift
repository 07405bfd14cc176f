import Analyzer
import Foundation

extension VoiceObservation {
  /// Onsets of the voice's notes less those of the target, for notes that both have.
  var onsetDisplacementsMs: [Double] {
    analyses.onsetDisplacementsMs {
      let segmenter = NoteSegmenter()
      let sung = segmenter.notes(in: heard)
      return segmenter.notes(in: wanted).compactMap { note in
        sung.filter { abs(cents($0.pitchHz, over: note.pitchHz)) <= 100 }
          .map { ($0.onsetSeconds - note.onsetSeconds) * 1000 }
          .filter { abs($0) <= 150 }
          .min { abs($0) < abs($1) }
      }
    }
  }

  /// Vibrato of each note that has one in both the target and the voice.
  var vibrati: [(wanted: VibratoFit, heard: VibratoFit)] {
    analyses.vibrati {
      NoteSegmenter().notes(in: wanted).compactMap { note in
        guard let target = try? VibratoFit(of: wanted, in: note) else { return nil }
        guard let heard = try? VibratoFit(of: heard, in: note) else { return nil }
        return (target, heard)
      }
    }
  }

  /// Response of the voice to each change of its note.
  var stepResponses: [Result<StepResponse, Unmeasurable>] {
    analyses.stepResponses {
      // The tracker's window spans several periods, which are long for low notes.
      let hasLowNote = steps.contains { min($0.fromHz, $0.toHz) < 110 }
      return StepResponse.all(of: heard, to: steps, resolutionMs: hasLowNote ? 24 : 16)
    }
  }
}

extension PitchTrack {
  /// Number of times that the nearest semitone changes and returns within 0.2 s. A semitone is left
  /// only for a pitch more than 60 cents away, so a pitch between two semitones does not flutter.
  var flutterCount: Int {
    var changes: [(tone: Double, frame: Int)] = []
    for (frame, hz) in f0Hz.enumerated() where hz > 0 {
      let semitones = cents(hz, over: 440) / 100
      if let now = changes.last, abs(semitones - now.tone) <= 0.6 { continue }
      changes.append((semitones.rounded(), frame))
    }
    let longest = 0.2 / hopSeconds
    return changes.indices.dropFirst(2).count { index in
      changes[index].tone == changes[index - 2].tone
        && Double(changes[index].frame - changes[index - 1].frame) <= longest
    }
  }
}
