import Analyzer
import DSP
import Foundation
import Singer
import Statistics

/// What the choice of a tier needs to know of a recording.
package struct RecordingFacts: Codable, Equatable, Sendable {
  var durationSeconds: Double
  /// Median over voiced sound; `nil` where there is none.
  package var medianF0Hz: Double?

  /// Where a voice sings most of the time.
  package enum Register: String, Sendable {
    case low, middle, high, top

    /// The limits are E3, E4 and E5: about where voices of men, both, women and sopranos lie.
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
  /// Of a performance, from its notes: nothing is rendered.
  init(of performance: Performance) {
    durationSeconds = performance.durationSeconds
    let voiced = performance.notes.filter {
      !($0.phonation ?? performance.voice.phonation).isWhispered
    }
    let pitches = voiced.flatMap { note in
      // A long note counts as many times as it has tenths of a second.
      Array(repeating: note.pitchSemitones, count: max(1, Int(note.durationSeconds * 10)))
    }
    medianF0Hz = Statistics.median(pitches).map { 440 * exp2(($0 - 69) / 12) }
  }

  /// Of a sound, by the tracker.
  init(of signal: Signal) {
    durationSeconds = signal.durationSeconds
    medianF0Hz = Statistics.median(
      PitchTracker.standard.track(signal).f0Hz.filter { $0 > 0 })
  }
}
