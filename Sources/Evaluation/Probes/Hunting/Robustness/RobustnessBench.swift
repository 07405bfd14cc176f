import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// A way in which a subject fails its host.
public enum RobustnessFault: String, Codable, CaseIterable, Sendable {
  case fails
  case notFinite = "returns samples that are no numbers"
  case tooLoud = "is too loud"
  case notSilent = "sounds in silence"
  case resetDiffers = "differs after a reset"
  case blocksDiffer = "depends on the size of blocks"
}

/// One failure with its size in words.
public struct RobustnessProblem: Equatable, Sendable {
  public var fault: RobustnessFault
  public var words: String
}

/// Runs a subject through sessions.
struct RobustnessBench: Sendable {
  let bench: ProbeBench

  /// Peak, relative to the input's or full scale, above which an output is no answer to its input.
  private static let loudestGain: Float = 8
  private static let silenceDbfs = -90.0
  /// Levels of a difference, relative to the output, that are worth a report: for a state that a
  /// reset should clear, and for what blocks change.
  private static let resetDb = -60.0
  private static let blocksDb = -40.0

  var isLive: Bool { bench.live != nil }

  func problems(_ session: RobustnessSession) -> [RobustnessProblem] {
    let input = session.signal()
    let output: [Float]
    do { output = try play(input, session) } catch {
      return [RobustnessProblem(fault: .fails, words: "\(error)")]
    }
    guard output.count == input.count else {
      return [
        RobustnessProblem(
          fault: .fails, words: "returned \(output.count) samples, expected \(input.count)")
      ]
    }
    if let bad = output.firstIndex(where: { !$0.isFinite }) {
      return [RobustnessProblem(fault: .notFinite, words: "\(output[bad]) at sample \(bad)")]
    }
    return [loudness(output, input), silence(output, input)].compactMap(\.self)
      + [afterReset(output, input, session), betweenBlocks(output, input, session)].compactMap(
        \.self)
  }

  private func loudness(_ output: [Float], _ input: Signal) -> RobustnessProblem? {
    let peak = Self.peak(output[...])
    let most = Self.loudestGain * max(0.125, Self.peak(input.samples[...]))
    guard peak > most else { return nil }
    return RobustnessProblem(
      fault: .tooLoud, words: "a peak of \(fixed(20 * log10(Double(peak)), 1)) dBFS")
  }

  private func silence(_ output: [Float], _ input: Signal) -> RobustnessProblem? {
    let peak = Double(Self.peak(output.suffix(Int(0.2 * input.sampleRateHz))))
    guard peak > pow(10, Self.silenceDbfs / 20) else { return nil }
    return RobustnessProblem(
      fault: .notSilent,
      words:
        "\(fixed(20 * log10(peak), 1)) dBFS after \(RobustnessSession.tailSeconds) s of silence")
  }

  /// Compares what comes after a reset with a fresh start.
  private func afterReset(
    _ output: [Float], _ input: Signal, _ session: RobustnessSession
  ) -> RobustnessProblem? {
    guard let place = Self.resetPlace(session, input) else { return nil }
    var fresh = session
    fresh.resetMs = nil
    let rest = Signal(Array(input.samples[place...]), sampleRateHz: input.sampleRateHz)
    guard let wanted = try? play(rest, fresh),
      let db = Self.differenceDb(output[place...], wanted[...]), db > Self.resetDb,
      let again = try? play(rest, fresh), Self.isBeyondChance(db, again, wanted)
    else { return nil }
    return RobustnessProblem(
      fault: .resetDiffers, words: "\(fixed(db, 1)) dB from a fresh start")
  }

  private func betweenBlocks(
    _ output: [Float], _ input: Signal, _ session: RobustnessSession
  ) -> RobustnessProblem? {
    guard isLive, session.block != nil || session.varying != nil,
      (try? (bench.live as? PluginSubject)?.description.needsFullBlocks) != true
    else { return nil }
    var plain = session
    (plain.block, plain.varying) = (nil, nil)
    guard let wanted = try? play(input, plain),
      let db = Self.differenceDb(output[...], wanted[...]), db > Self.blocksDb,
      let again = try? play(input, plain), Self.isBeyondChance(db, again, wanted)
    else { return nil }
    return RobustnessProblem(
      fault: .blocksDiffer,
      words: "\(fixed(db, 1)) dB from the output in blocks of \(RobustnessSession.plainBlock)")
  }

  /// True if a difference is more than two equal runs of a random subject have.
  private static func isBeyondChance(_ db: Double, _ again: [Float], _ wanted: [Float]) -> Bool {
    db > (differenceDb(again[...], wanted[...]) ?? -.infinity) + EquivalenceProbe.slackDb
  }

  // MARK: Playing

  private static func resetPlace(_ session: RobustnessSession, _ input: Signal) -> Int? {
    session.resetMs.map { min(Int($0 / 1000 * input.sampleRateHz), input.count) }
  }

  private func play(_ input: Signal, _ session: RobustnessSession) throws -> [Float] {
    let score = bench.score(noteHz: 220, semitones: 4)
    guard let live = bench.live else { return try bench.render(input, score).mix.samples }
    let sound = try live.start(score, settings: bench.settings, sampleRateHz: input.sampleRateHz)
    let size = session.block ?? RobustnessSession.plainBlock
    /// Plays a part, whose blocks are those of a fresh start.
    func played(_ part: some Collection<Float>) throws -> [Float] {
      var random = session.varying.map { SeededGenerator(seed: $0) }
      return try sound.played(Array(part)) { _ in
        (random?.uniform()).map { 1 + Int($0 * Double(size)) } ?? size
      }
    }
    guard let reset = Self.resetPlace(session, input) else { return try played(input.samples) }
    let before = try played(input.samples[..<reset])
    sound.reset()
    return before + (try played(input.samples[reset...]))
  }

  private static func peak(_ samples: ArraySlice<Float>) -> Float {
    samples.reduce(0) { max($0, abs($1)) }
  }

  /// The difference relative to the wanted sound; `nil` if they are equal or nothing is wanted.
  private static func differenceDb(
    _ output: some Collection<Float>, _ wanted: some Collection<Float>
  ) -> Double? {
    guard wanted.reduce(0, { $0 + Double($1) * Double($1) }) > 1e-12 else { return nil }
    return EquivalenceProbe.differenceDb(output, wanted)?.db
  }
}
