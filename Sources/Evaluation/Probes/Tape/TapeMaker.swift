import AudioFile
import Corpus
import DSP
import Foundation
import Platform
import Subjects
import Sweep

/// Lays recordings of a corpus out on a test tape: marks, steps of level, and the recordings with pauses.
public struct TapeMaker {
  public enum Rate: Int, CaseIterable, Sendable {
    case cd = 44_100
    case studio = 48_000
  }

  private let corpus: Corpus
  private let plan: String
  private let scores: [Score]
  private let entries: [ManifestEntry]
  private let tests: [TapeTest]
  private let rateHz: Double

  /// Silence before and after the tape.
  private static let edgeSeconds = 1.0
  /// Silence before a mark, in which the tail of a system with 0.45 s of delay ends; and after it.
  private static let pauseSeconds = 1.0
  /// Each pause before a mark is longer by up to this, by the tape's content: so no two tapes have the
  /// same distances.
  private static let maxExtraSeconds = 0.8
  private static let secondsBesidePart = 2 * pauseSeconds + maxExtraSeconds + TapeMark.seconds

  private static func secondsBesideParts(_ tests: [TapeTest]) -> Double {
    2 * edgeSeconds + secondsBesidePart + TapeSteps.seconds
      + tests.reduce(0) { $0 + $1.signal.durationSeconds + secondsBesidePart }
  }

  /// Creates a tape of a plan's recordings and scores.
  ///
  /// - Parameters:
  ///   - tests: test signals of the bench to put before the recordings.
  ///   - minutes: maximum length; the recordings that differ most are chosen.
  /// - Throws: a `Refusal` if no recording fits.
  public init(
    plan: Plan, in corpus: Corpus, rate: Rate = .studio, tests: [TapeTest] = TapeTest.allCases,
    minutes: Double? = nil
  ) throws {
    let resolved = try plan.resolved(in: corpus)
    let voices = try resolved.recordings.map { try corpus.entry(id: $0) }
      .filter { !$0.isBenchSound }
    try self.init(
      named: plan.name, voices, plan.scores, in: corpus, rate: rate, tests: tests, minutes: minutes)
  }

  /// Creates a tape of a tier's recordings.
  public init(
    tier: Tier, in corpus: Corpus, rate: Rate = .studio, tests: [TapeTest] = TapeTest.allCases,
    minutes: Double? = nil
  ) throws {
    let voices = try corpus.choice(of: tier).filter { !$0.isBenchSound }
    try self.init(
      named: tier.rawValue, voices, [], in: corpus, rate: rate, tests: tests, minutes: minutes)
  }

  private init(
    named plan: String, _ voices: [ManifestEntry], _ scores: [Score], in corpus: Corpus, rate: Rate,
    tests: [TapeTest], minutes: Double?
  ) throws {
    (self.plan, self.scores, self.corpus, self.tests) = (plan, scores, corpus, tests)
    rateHz = Double(rate.rawValue)
    entries =
      try minutes.map {
        try corpus.spread(
          voices, maxSeconds: $0 * 60 - Self.secondsBesideParts(tests),
          secondsBeside: Self.secondsBesidePart)
      } ?? voices
    guard !entries.isEmpty else {
      throw Refusal(
        minutes == nil
          ? "'\(plan)' has no recordings of voices; choose a plan or tier that has some"
          : "no recording of '\(plan)' fits into \(fixed(minutes!)) minutes; allow more")
    }
  }

  /// Returns the sound and the sheet. The sheet's digest is that of the file, so it comes later.
  public func tape() throws -> (sound: Signal, sheet: TapeSheet) {
    let recordings = try entries.map { try corpus.recording($0) }
    var random = SeededGenerator(
      seed: UInt64(Digest.sha256(recordings.map(\.digest).joined()).prefix(15), radix: 16) ?? 0)
    var samples: [Float] = []
    var (marks, tests, parts) = ([Double](), [TapeSheet.Test](), [TapeSheet.Part]())
    func now() -> Double { Double(samples.count) / rateHz }
    func pause(_ seconds: Double) {
      samples += [Float](repeating: 0, count: Int(seconds * rateHz))
    }
    let mark = TapeMark.sound(rateHz: rateHz)
    func addMark() {
      pause(Self.maxExtraSeconds * random.uniform())
      marks.append(now())
      samples += mark.samples
      pause(Self.pauseSeconds)
    }
    pause(Self.edgeSeconds)
    addMark()
    let stepsAtSeconds = now()
    samples += TapeSteps.sound(rateHz: rateHz).samples
    pause(Self.pauseSeconds)
    addMark()
    for test in self.tests {
      tests.append(TapeSheet.Test(name: test, atSeconds: now()))
      samples += test.signal.resampled(to: rateHz).samples
      pause(Self.pauseSeconds)
      addMark()
    }
    for recording in recordings {
      let signal = recording.signal
      parts.append(
        TapeSheet.Part(
          recording: recording.entry.id, digest: recording.digest, atSeconds: now(),
          samples: signal.count, sampleRateHz: signal.sampleRateHz))
      samples += signal.resampled(to: rateHz).samples
      pause(Self.pauseSeconds)
      addMark()
    }
    var sheet = TapeSheet(
      plan: plan, sampleRateHz: rateHz, marks: marks, stepsAtSeconds: stepsAtSeconds, tests: tests,
      parts: parts, scores: scores)
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    // One step of 16 bits below full scale.
    let gain = min(1, (1 - 1 / 32_768) / peak)
    if gain < 1 { samples = samples.map { $0 * gain } }
    sheet.gainDb = 20 * log10(Double(gain))
    sheet.durationSeconds = now()
    return (Signal(samples, sampleRateHz: rateHz), sheet)
  }
}
