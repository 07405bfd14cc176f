import DSP
import Foundation
import Platform
import Subjects

@testable import Corpus

/// A harmonizer that does one thing wrong, and only for some inputs.
struct PlantedSubject: Subject {
  enum Fault: Sendable {
    case none
    /// The voice is muted for 120 ms, with ramps of 10 ms.
    case dropout
    case octaveUp
    case click
    /// The subject gives no sound.
    case refusal
  }

  let id = "planted"
  let version = "1"
  var fault = Fault.none
  /// True if the fault shows in a lead and at an interval.
  var shows: @Sendable (_ leadHz: Double, _ semitones: Double) -> Bool = { _, _ in true }

  struct Refusal: Error, CustomStringConvertible { let description = "is out of order" }

  private static let source = ReferenceSubject()
  private static let settings: SubjectSettings = [
    "engine": .text("offline"), "leadPitch": .text("given"),
  ]

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    try Self.source.validate(Self.settings, for: score)
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let voiced = score.lead.f0Hz.filter { $0 > 0 }.sorted()
    let leadHz = voiced.isEmpty ? 0 : voiced[voiced.count / 2]
    var interval = 0.0
    if case .interval(let semitones)? = score.voices[0].first?.target { interval = semitones }
    let isFaulty = shows(leadHz, interval)
    if isFaulty, case .refusal = fault { throw Refusal() }
    var asked = score
    if isFaulty, case .octaveUp = fault { asked = score.octaveUp }
    var rendering = try Self.source.render(signal, score: asked, settings: Self.settings)
    guard isFaulty else { return rendering }
    let middle = Int(0.5 * signal.sampleRateHz)
    for voice in rendering.stems.indices {
      switch fault {
      case .dropout:
        for i in 0..<min(6_720, signal.count - middle) {
          let edge = max(0, 480 - i, i - 6_240)
          rendering.stems[voice].samples[middle + i] *= Float(edge) / 480
        }
      case .click: rendering.stems[voice].samples[middle] += 0.3
      case .none, .octaveUp, .refusal: break
      }
    }
    rendering.mix = .sum(of: rendering.stems)
    return rendering
  }
}

extension ResolvedScore {
  fileprivate var octaveUp: ResolvedScore {
    guard case .intervals(let intervals) = score.form else { return self }
    return ResolvedScore(Score(id: "up", intervalsSemitones: intervals.map { $0 + 12 }), lead: lead)
  }
}
