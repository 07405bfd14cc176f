import DSP
import Foundation
import Singer
import Subjects

@testable import Corpus

/// A tuner that corrects nothing: its output is the input, late by a law.
struct LateToy: Subject {
  let id = "late"
  let version = "1"
  var fixedMs = 0.0
  var periods = 0.0
  /// Leads above this are silent.
  var highestHz = Double.infinity
  var startSeconds = 0.0
  var perSecond = 0.1

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    guard case .tuned = score.form else {
      throw SubjectError.settings(subject: id, problem: "tunes only")
    }
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let lead = score.lead
    let late = Int(
      ((fixedMs + periods * 1000 / lead.f0Hz[0]) / 1000 * signal.sampleRateHz).rounded())
    let sound = signal.samples.enumerated().map { index, sample in
      let frame = Int(Double(index) / signal.sampleRateHz / lead.hopSeconds)
      return lead.f0Hz[min(frame, lead.count - 1)] > highestHz ? 0 : sample
    }
    let mix = Signal(
      Array(([Float](repeating: 0, count: late) + sound).prefix(signal.count)),
      sampleRateHz: signal.sampleRateHz)
    return Rendering(
      mix: mix, stems: [mix],
      cpuSeconds: startSeconds + perSecond * signal.durationSeconds)
  }
}

/// A harmonizer that sings the vowels of the identification itself, with formants that make a known
/// share of the shift.
struct FormantToy: Subject {
  let id = "formants"
  let version = "1"
  var movedShare: Double

  func validate(_ settings: SubjectSettings, for score: Score) throws {}

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    guard case .interval(let semitones)? = score.voices[0].first?.target else {
      return Rendering(mix: signal, stems: [signal])
    }
    var performance = try Songbook.performance(id: "vowels-tenor")
      .transposed(bySemitones: semitones)
    // Formants are inversely proportional to the tract. Lowered by five semitones it would be longer
    // than any, and the singer refuses; two of the three shifts remain.
    performance.voice.tractLengthCm /= exp2(movedShare * semitones / 12)
    let sung = try performance.render(sampleRateHz: signal.sampleRateHz).signal
    let mix = Signal(
      Array(sung.samples.prefix(signal.count)), sampleRateHz: signal.sampleRateHz)
    return Rendering(mix: mix, stems: [mix], cpuSeconds: 0.1)
  }
}

/// A harmonizer that never gives a sound.
struct RefusingToy: Subject {
  struct Refusal: Error, CustomStringConvertible { let description = "is out of order" }

  let id = "refusing"
  let version = "1"

  func validate(_ settings: SubjectSettings, for score: Score) throws {}

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering { throw Refusal() }
}
