import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Harmonizer
import Statistics
import Testing

@testable import Corpus
@testable import Subjects

/// The offline engine of the reference harmonizer.
@Suite struct OfflineChoirTests {
  static let lead = (
    signal: ScoreSubjectTests.lead.signal[..<72_000], track: ScoreSubjectTests.lead.track
  )

  static func render(_ yaml: String, _ more: SubjectSettings = [:]) throws -> Rendering {
    // Filling gaps costs most of the time.
    let settings = more.merging(["engine": .text("offline"), "fillsGaps": .text("off")]) { $1 }
    return try ReferenceSubject().render(
      lead.signal, score: ResolvedScore(try score(yaml), lead: lead.track), settings: settings)
  }

  /// The stems on fixed intervals equal those of `OfflineShifter`, to the bit; the mix is their sum and
  /// the lead at its gain. The engine states no latency.
  @Test func intervalsAreTheShiftersOwn() throws {
    let rendering = try Self.render("id: x\nintervalsSemitones: [4, -5]", ["dryGain": .number(0.5)])
    let voices = [4.0, -5].map { OfflineShifter.Voice(shift: .constant($0)) }
    var bare = OfflineShifter.Settings()
    bare.fillsGaps = false
    let copies = try OfflineShifter(bare).render(Self.lead.signal, voices: voices)
    #expect(rendering.stems == copies)
    for n in stride(from: 0, to: Self.lead.signal.count, by: 997) {
      let sum = copies[0].samples[n] + copies[1].samples[n] + 0.5 * Self.lead.signal.samples[n]
      #expect(abs(rendering.mix.samples[n] - sum) < 1e-6)
    }
    #expect(rendering.reportedLatencyMs == nil)
    #expect(try #require(rendering.cpuSeconds) > 0)
  }

  /// A voice on a note cancels the lead's vibrato of ±50 cents, with an exact pitch or a tracked one.
  /// Both are within a cent (docs/reference/analyzer.md), and the shift changes in straight lines
  /// between points 1 ms apart. There is no delay: the voice is silent until the press.
  @Test(arguments: LeadPitch.allCases)
  func aNoteStandsStill(leadPitch: LeadPitch) throws {
    let rendering = try Self.render(
      "id: x\nnotes:\n  - {atSeconds: 0.5, press: [E4]}",
      ["leadPitch": .text(leadPitch.rawValue), "blockSize": .number(48)])
    let stem = rendering.stems[0]
    #expect(stem.samples[..<24_000].allSatisfy { $0 == 0 })
    #expect(stem.samples[24_000..<24_480].contains { abs($0) > 0.05 })
    let track = PitchTracker.standard.track(stem)
    let errors = track.f0Hz[120...280].map { abs(cents($0, over: 329.6276)) }
    #expect(try #require(Statistics.median(errors)) < 1)
    #expect(try #require(Statistics.quantile(errors, 0.95)) < 3)
  }

  /// The harmonizer's expression applies: a glide of 400 ms to the second note is halfway after 200.
  @Test func glidesAreSung() throws {
    let rendering = try Self.render(
      "id: x\nnotes:\n  - {atSeconds: 0, press: [C4]}\n  - {atSeconds: 0.6, press: [E4], "
        + "release: [C4]}", ["glideMs": .number(400), "blockSize": .number(48)])
    let track = PitchTracker.standard.track(rendering.stems[0])
    #expect(abs(cents(track.f0Hz[100], over: 261.6256)) < 3)
    #expect(abs(cents(track.f0Hz[160], over: 293.6648)) < 15)  // 1 cent a millisecond
    #expect(abs(cents(track.f0Hz[260], over: 329.6276)) < 3)
  }

  /// The block size does not change the sound.
  @Test func anyBlocksGiveTheSame() throws {
    let yaml = "id: x\nkey: C major\ndegrees: [3]"
    let one = try Self.render(yaml, ["blockSize": .number(64)])
    let other = try Self.render(yaml, ["blockSize": .number(5_000)])
    #expect(one.stems == other.stems)
  }

  /// The log names the offline engine.
  @Test func theLogNamesIt() throws {
    let score = try score("id: x\nintervalsSemitones: [12]")
    var engine = OfflineEngine()
    engine.formantShiftSemitones = -12
    engine.fillsGaps = false
    var choir = try ScoredChoir(
      score.choir(), by: engine, singing: score, of: Self.lead.signal, blockSize: 4_800,
      logging: true)
    _ = choir.render(Self.lead.signal, blockSize: 4_800)
    let kept = choir.log
    let log = try #require(kept)
    #expect(log.offline == engine.shifter && log.latencySamples == 0)
    #expect(log.blocks[3].voices[0].formantRatio == 0.5)
    #expect(log.blocks[3].voices[0].intervalSemitones == 12)
  }

  @Test func whatItCannotDoIsRefusedByName() throws {
    let score = try score("id: x\nintervalsSemitones: [4]")
    for (name, value, words) in [
      ("lookAheadMs", 5.0, "lookAheadMs is for live engines"), ("mostFillDb", 99, "0.0 to 60.0"),
      ("windowMs", 20, "fillsGaps"),
    ] {
      expectError(words) {
        try ReferenceSubject().validate(
          ["engine": .text("offline"), name: .number(value)], for: score)
      }
    }
  }

  /// The inputs are empty, one sample, and silence.
  @Test(arguments: [0, 1, 5_000]) func standsWhateverComesIn(count: Int) throws {
    let signal = Signal([Float](repeating: 0, count: count), sampleRateHz: 48_000)
    let score = try score("id: x\nkey: C major\ndegrees: [3]")
    let rendering = try ReferenceSubject().render(
      signal, score: ResolvedScore(score, lead: Self.lead.track),
      settings: ["engine": .text("offline")])
    #expect(rendering.mix.samples.count == count && rendering.mix.samples.allSatisfy { $0 == 0 })
  }
}
