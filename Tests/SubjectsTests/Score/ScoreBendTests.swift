import DSP
import Foundation
import Harmonizer
import Music
import Singer
import TestSupport
import Testing

@testable import Metrics
@testable import Platform
@testable import Subjects

/// Bends and velocities of MIDI, from the score to the sound and its targets.
@Suite struct ScoreBendTests {
  /// C4, bent up by 2 semitones at 1 s, down by 1 at 1.5 s, in small steps from 1.75 s on.
  private static let events =
    [
      ScoreEvent(atSeconds: 0.5, .press(note: NoteNumber(60), velocity: 64)),
      ScoreEvent(atSeconds: 1, .bend(semitones: 2)),
      ScoreEvent(atSeconds: 1.5, .bend(semitones: -1)),
    ]
    + (1...10).map { step -> ScoreEvent in
      ScoreEvent(
        atSeconds: 1.75 + 0.01 * Double(step), .bend(semitones: -1 + 0.1 * Double(step)))
    } + [
      // A bend of another channel, and events after the end.
      ScoreEvent(atSeconds: 1.2, channel: 1, .bend(semitones: 7)),
      ScoreEvent(atSeconds: 2.5, .release(note: NoteNumber(60))),
      ScoreEvent(atSeconds: 2.6, .bend(semitones: 9)),
      ScoreEvent(atSeconds: 2.7, .press(note: NoteNumber(64), velocity: 127)),
      ScoreEvent(atSeconds: 3, .release(note: NoteNumber(64))),
    ]
  private static let score = Score(
    id: "bent", .midi(file: "bent.mid", events: events.sorted { $0.atSeconds < $1.atSeconds }))
  private static let resolved = ResolvedScore(score, lead: ScoreResolutionTests.steady)

  private static func hz(_ note: Double) -> Double { 440 * exp2((note - 69) / 12) }

  @Test(arguments: [
    (0.4, nil), (0.75, 60.0), (1.25, 62), (1.6, 59), (1.805, 59.5), (2.4, 60), (2.55, nil),
    (2.8, 73),
  ])
  func theTargetFollowsTheBend(seconds: Double, note: Double?) throws {
    let target = Self.resolved.targetHz(ofVoice: 0, atSeconds: seconds, leadHz: 220)
    guard let note else { return #expect(target == nil) }
    #expect(abs(12 * log2(try #require(target) / Self.hz(note))) < 1e-9)
  }

  /// A jump of the wheel is a change of the target, around which nothing is measured; a slow turn is
  /// not.
  @Test(arguments: [(1.02, false), (1.05, true), (1.49, false), (1.8, true)])
  func leapsAreNotJudged(seconds: Double, isJudged: Bool) {
    let target = Self.resolved.targetHz(
      ofVoice: 0, atSeconds: seconds, delaySeconds: 0, settledSeconds: 0.03)
    #expect((target != nil) == isJudged)
  }

  @Test func velocitiesStayWithTheirNotes() {
    #expect(Self.resolved.voices.map { $0.map(\.velocity) } == [[64, 127]])
    #expect(Self.resolved.steps(ofVoice: 0).isEmpty)  // the notes don't touch
  }

  @Test func theScoreComesBackFromItsText() throws {
    var score = Self.score
    score.notSung = ["pan (controller 10), channel 1 at 0.0 s"]
    let again = try JSONDecoder().decode(Score.self, from: JSONEncoder.canonical.encode(score))
    #expect(again == score)
  }

  /// The oracle's voice has the bent pitch at every sample.
  @Test func theOracleBends() throws {
    let performance = ScoreOracleTests.performance
    let lead = try performance.render()
    let resolved = ResolvedScore(Self.score, lead: ScoreOracleTests.track(of: lead.truth))
    let truth = try Oracle(performance, resolved).stems[0].truth
    for (seconds, note) in [(0.9, 60.0), (1.4, 62), (1.7, 59)] {
      let f0 = truth.f0Hz[Int(seconds * truth.sampleRateHz)]
      if f0 > 0 { #expect(abs(12 * log2(f0 / Self.hz(note))) < 1e-6, "\(seconds) s") }
    }
    #expect(truth.f0Hz.contains { $0 > 0 })
  }

  /// The harmonizer follows bends and velocities with its own tracker and with the evaluation's.
  @Test(arguments: [LeadPitch.live, .given])
  func theChoirSingsTheBendAtItsLevel(leadPitch: LeadPitch) throws {
    let lead = Signal.sine(220, amplitude: 0.3, seconds: 3)
    let made = try ReferenceSubject.render(
      lead, Self.score.choir(leadPitch: leadPitch), blockSize: 128, logging: true,
      following: Self.resolved, leadPitch: leadPitch)
    let log = try #require(made.truthLog)
    // The gain is proportional to the velocity; the shift is the note minus the lead's A3.
    for (seconds, note, gain) in [(0.9, 60.0, 64.0 / 127), (1.4, 62, 64.0 / 127), (2.9, 73, 1)] {
      let entry = log.blocks[Int(seconds * 48_000 / 128)].voices[0]
      #expect(abs(entry.gain - gain) < 1e-3, "\(seconds) s")
      #expect(abs(entry.intervalSemitones - (note - 57)) < 0.02, "\(seconds) s")
    }
  }
}
