import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Harmonizer
import Music
import Statistics
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects

/// Scores played by the reference harmonizer.
@Suite struct ScoreSubjectTests {
  /// A rich tone with a vibrato of ±50 cents around C4, and its exact pitch.
  static let lead: (signal: Signal, track: PitchTrack) = {
    func hz(_ time: Double) -> Double { 261.6256 * exp2(50 / 1200.0 * sin(2 * .pi * 5 * time)) }
    let f0 = (0..<801).map { hz(Double($0) * 0.005) }
    return (
      Signal.harmonics(Array(repeating: 0.1, count: 8), seconds: 4, hz: hz),
      PitchTrack(hopSeconds: 0.005, f0Hz: f0)
    )
  }()

  static let settings: SubjectSettings = [
    "engine": .text("delayline"), "windowMs": .number(80), "crossfadeMs": .number(20),
  ]

  static func render(_ yaml: String, leadPitch: LeadPitch = .live) throws -> Rendering {
    let resolved = ResolvedScore(try score(yaml), lead: lead.track)
    var settings = settings
    settings["leadPitch"] = .text(leadPitch.rawValue)
    return try ReferenceSubject().render(lead.signal, score: resolved, settings: settings)
  }

  static let held = """
    id: x
    notes:
      - {atSeconds: 0.5, press: [A3, E4]}
      - {atSeconds: 2, press: [G4], release: [E4]}
      - {atSeconds: 3, release: [A3, G4]}
    """

  /// A delay line puts a tone on lines spaced by its sweep rate, so it may miss the note by half of
  /// that: |1 - r| / 80 ms / 2 is 1.0 Hz at A3 (8 cents), 1.6 Hz at E4 (9 cents), 3.1 Hz at G4
  /// (14 cents). Outside the crossfades, a quarter of the time, the lead's vibrato must vanish within
  /// the same tolerance; with it, 70 % of frames would be within 45 cents only.
  ///
  /// The same holds for both sources of the lead's pitch: with sweeps of 80 ms and a mean delay of
  /// 50 ms, the tracker, which looks ahead by 10 ms, mostly knows the pitch before the sound leaves.
  /// The sweep's young end is a sixth of the time, within the 30 % that are left out.
  @Test(
    arguments: [(0, 0.8, 2.8, 57.0, 8.0), (1, 0.8, 1.8, 64, 9), (1, 2.2, 2.8, 67, 14)],
    LeadPitch.allCases)
  func eachVoiceSingsItsNote(
    _ note: (voice: Int, from: Double, to: Double, key: Double, toleranceCents: Double),
    leadPitch: LeadPitch
  ) throws {
    let (voice, from, to, key, toleranceCents) = note
    let stem = try Self.render(Self.held, leadPitch: leadPitch).stems[voice]
    let track = PitchTracker.standard.track(stem)
    let heard = track.f0Hz[Int(from / 0.005)...Int(to / 0.005)]
    let errors = heard.map { cents($0, over: NoteNumber(key).hz) }
    #expect(abs(try #require(Statistics.median(errors))) <= toleranceCents)
    #expect(try #require(Statistics.quantile(errors.map(abs), 0.7)) <= toleranceCents)
  }

  /// Silence begins after at most a block of 128 samples (2.7 ms), a tick of 1 ms and a ramp of 5 ms.
  @Test(arguments: LeadPitch.allCases)
  func silenceIsSilent(leadPitch: LeadPitch) throws {
    let stem = try Self.render(Self.held, leadPitch: leadPitch).stems[0].samples
    #expect(stem[..<24_000].allSatisfy { $0 == 0 })
    let silence = 144_000 + 128 + 48 + 240
    #expect(stem[silence...].allSatisfy { $0 == 0 })
    // It sounds from the same delay after the press.
    #expect(stem[24_416..<24_616].contains { abs($0) > 0.05 })
  }

  /// No two neighbouring samples differ by more than in the highest note, whose steepest slope is
  /// 2π · 392 Hz · 0.1 · (1 + … + 8) / 48 kHz = 0.185 a sample, plus the change of gain at a peak of
  /// 0.8: at most 0.8 / 240 on a ramp of 5 ms, 2 · 0.8 · 0.54 / 960 in a crossfade of 20 ms.
  @Test(arguments: LeadPitch.allCases)
  func nothingClicks(leadPitch: LeadPitch) throws {
    let rendering = try Self.render(Self.held, leadPitch: leadPitch)
    for stem in rendering.stems {
      let steepest = zip(stem.samples, stem.samples.dropFirst()).map { abs($1 - $0) }.max()!
      #expect(steepest < 0.185 + 0.0033 + 0.0009)
    }
  }

  /// A sweep of 80 ms at +4 semitones errs by less than 9 cents; the lead's ±50 cents are kept.
  @Test(arguments: LeadPitch.allCases)
  func degreesKeepTheVibrato(leadPitch: LeadPitch) throws {
    let rendering = try Self.render("id: x\nkey: C major\ndegrees: [3]", leadPitch: leadPitch)
    let track = PitchTracker.standard.track(rendering.stems[0])
    let heard = track.f0Hz[200...700].map { cents($0, over: 329.6276) }
    #expect(abs(try #require(Statistics.median(heard))) < 12)
    #expect(try #require(heard.max()) > 40 && #require(heard.min()) < -40)
  }

  /// Fixed intervals are the shifter's own output, to the bit.
  @Test func fixedIntervalsNeedNoCues() throws {
    let resolved = ResolvedScore(
      Score(id: "x", intervalsSemitones: [4, -5]), lead: Self.lead.track)
    let rendering = try ReferenceSubject().render(
      Self.lead.signal, score: resolved, settings: Self.settings)
    var alone = try DelayLineShifter(
      shiftSemitones: -5, .init { ($0.windowMs, $0.crossfadeMs) = (80, 20) }, sampleRateHz: 48_000)
    #expect(rendering.stems[1].samples == alone.render(Self.lead.signal.samples))
  }

  /// Settings of the engine and of the choir are set by name; errors list the choices.
  @Test func settingsAreTakenByName() throws {
    let subject = ReferenceSubject()
    let held = try score(Self.held)
    try subject.validate(
      [
        "engine": .text("delayline"), "windowMs": .number(30), "glideMs": .number(50),
        "consonants": .text("gated"), "lookAheadMs": .number(15), "leadPitch": .text("live"),
        "blockSize": .number(64),
      ], for: held)
    for (name, value, words) in [
      ("leadPitch", SettingValue.text("guessed"), "choose live, given"),
      ("consonants", .text("loud"), "choose kept, gated, passedOnce"),
      ("glideMs", .text("long"), "glideMs is 'long'; write a number"),
      ("glideMs", .number(-1), "glideMs is -1.0; choose 0.0"),
      ("stride", .number(3), "has no setting 'stride'"), ("windowMs", .text("wide"), "'wide'"),
    ] {
      expectError(words) {
        try subject.validate(["engine": .text("delayline"), name: value], for: held)
      }
    }
  }

  @Test func theObservationTakesItsTargetFromTheScore() throws {
    let resolved = ResolvedScore(try score(Self.held), lead: Self.lead.track)
    // Swells of uneven length tell how late the voices are.
    var sung = Self.lead.signal
    for n in sung.samples.indices {
      let time = Double(n) / sung.sampleRateHz
      sung.samples[n] *= Float(0.3 + 0.7 * abs(sin(2 * .pi * (0.9 * time + 0.4 * time * time))))
    }
    let rendering = try ReferenceSubject().render(sung, score: resolved, settings: Self.settings)
    let entry = ManifestEntry(
      id: "r", source: "synthetic:r", licence: "CC0-1.0", voice: "alto", kind: "sung")
    let observation = Observation(
      Recording(entry: entry, signal: sung, digest: "", truth: Self.lead.track),
      score: resolved, rendering: rendering)
    let target = observation.voices[1].target
    #expect(target.f0Hz[50] == 0 && target.f0Hz[700] == 0)  // 0.25 s and 3.5 s: silent
    #expect(abs(target.f0Hz[300] - 329.6276) < 0.001)  // 1.5 s: E4
    #expect(target.f0Hz[400] == 0)  // 2 s: between two notes
    #expect(abs(target.f0Hz[500] - 391.9954) < 0.001)  // 2.5 s: G4
    for measurement in Metric.metric(id: "pitch.abs_error")!.measure(observation) {
      #expect(try #require(measurement.outcome.number) < 14)  // as above
    }
  }
}
