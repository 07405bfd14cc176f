import DSP
import Foundation
import Harmonizer

/// The harmonizer of this package, rendered block by block as an audio thread would.
///
/// Where a score moves its voices they are told so before each block. To sing notes it takes the
/// lead's pitch from the evaluation, not from a tracker of its own: see `VoiceCues`.
///
/// Settings: `engine` (`delayline`), those of the engine by their names, `dryGain`, and `blockSize`
/// (frames, 128).
public struct ReferenceSubject: Subject {
  public let id = "reference"
  public let version = "1"

  public init() {}

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let (choir, blockSize) = try harmonizerSettings(settings, for: score)
    do {
      try choir.validate()
      try require("blockSize", Double(blockSize), in: 1...65_536)
    } catch { throw EvaluationError.settings(subject: id, problem: "\(error)") }
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try validate(settings, for: score.score)
    let (choir, blockSize) = try harmonizerSettings(settings, for: score.score)
    return try Self.render(signal, choir, blockSize: blockSize, following: score)
  }

  /// - Parameters:
  ///   - logging: keeps the truth log.
  ///   - score: moves the voices, which are as many as in the settings.
  public static func render(
    _ signal: Signal, _ settings: Harmonizer.Settings, blockSize: Int, logging: Bool = false,
    following score: ResolvedScore? = nil
  ) throws -> Rendering {
    var harmonizer = try Harmonizer(settings, sampleRateHz: signal.sampleRateHz)
    var cues = score.flatMap { VoiceCues($0, sampleRateHz: signal.sampleRateHz) }
    let voices = harmonizer.voiceCount
    var mix = [Float](repeating: 0, count: signal.count)
    var stems = [[Float]](repeating: mix, count: voices)
    var block = [Float](repeating: 0, count: voices * blockSize)
    var log = logging ? TruthLog() : nil
    let input = signal.samples.span
    for start in stride(from: 0, to: signal.count, by: blockSize) {
      let range = start..<min(start + blockSize, signal.count)
      cues?.cue(&harmonizer, startSample: start)
      log?.record(harmonizer, startSample: start)
      var target = mix.mutableSpan
      var blockTarget = target._mutatingExtracting(range)
      var whole = block.mutableSpan
      var stemTarget = whole._mutatingExtracting(0..<(voices * range.count))
      harmonizer.process(input.extracting(range), into: &blockTarget, stems: &stemTarget)
      for voice in 0..<voices {
        for i in 0..<range.count { stems[voice][start + i] = block[voice * range.count + i] }
      }
    }
    return Rendering(
      mix: Signal(mix, sampleRateHz: signal.sampleRateHz),
      stems: stems.map { Signal($0, sampleRateHz: signal.sampleRateHz) },
      reportedLatencyMs: Double(harmonizer.latencySamples) / signal.sampleRateHz * 1000,
      cpuSeconds: cpuSeconds(
        of: &harmonizer, cues, processing: signal.samples, blockSize: blockSize),
      truthLog: log)
  }

  /// A pass of its own, without stems or log: reading the clock around each block would cost a
  /// third of the block.
  private static func cpuSeconds(
    of harmonizer: inout Harmonizer, _ cues: VoiceCues?, processing input: [Float], blockSize: Int
  ) -> Double {
    harmonizer.reset()
    let before = ThreadClock.seconds
    var output = [Float](repeating: 0, count: input.count)
    var target = output.mutableSpan
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let range = start..<min(start + blockSize, input.count)
      cues?.repeatCue(&harmonizer, block: start / blockSize)
      var part = target._mutatingExtracting(range)
      harmonizer.process(input.span.extracting(range), into: &part)
    }
    return ThreadClock.seconds - before
  }

  private func harmonizerSettings(
    _ settings: SubjectSettings, for score: Score
  ) throws -> (Harmonizer.Settings, blockSize: Int) {
    var choir = Harmonizer.Settings(voices: Self.voices(of: score))
    let others: SubjectSettings
    do { (choir.engine, others) = try Engine.chosen(by: settings) } catch {
      throw EvaluationError.settings(subject: id, problem: "\(error)")
    }
    var blockSize = 128
    for (name, value) in others.sorted(by: { $0.key < $1.key }) {
      guard let number = value.number else {
        throw EvaluationError.settings(subject: id, problem: "\(name) is '\(value)', not a number")
      }
      switch name {
      case "dryGain": choir.dryGain = number
      case "blockSize": blockSize = Int(exactly: number) ?? 0
      default:
        let names = (choir.engine.settingNames + ["engine", "dryGain", "blockSize"])
          .joined(separator: ", ")
        throw EvaluationError.settings(
          subject: id, problem: "has no setting '\(name)' with this engine; it has \(names)")
      }
    }
    return (choir, blockSize)
  }
}

extension ReferenceSubject {
  /// The voices as they begin; a score that moves them does so before the first block.
  private static func voices(of score: Score) -> [Harmonizer.Voice] {
    switch score.form {
    case .intervals(let intervals): intervals.map { .init(intervalSemitones: $0) }
    case .degrees(let degrees, _): degrees.map { _ in .init(intervalSemitones: 0) }
    case .tuned, .chords, .pads, .notes, .midi:
      (0..<score.voiceCount).map { _ in .init(intervalSemitones: 0, gain: 0) }
    }
  }
}
