import Analyzer
import AudioFile
import Corpus
import DSP
import Effects
import Foundation
import Instrument
import Platform
import Subjects

/// Measures a timing plan row by row, on one thread.
///
/// Sources and processes are rendered once for each group; each chain then processes their output. A
/// row's cost is the sum of its parts, each measured alone with warm caches.
struct TimingRun: Sendable {
  struct Row: Sendable {
    var process: TimingPlan.Process
    var source: String
    /// The chain in the language of racks; `dry` for none.
    var effects: String
    var reportedMs: Double
    /// Delay of the process, from the onsets of notes.
    var processDelay: DelayEstimate?
    /// Delay of the effects.
    var effectsDelayMs: Double?
    /// The reason why a delay is missing.
    var undefined: Cause?

    var delayMs: Double? {
      processDelay.flatMap { process in effectsDelayMs.map { process.medianMs + $0 } }
    }

    /// Processor time of the source over the duration of the sound; the others likewise.
    var sourceRealtimeFactor: Double
    var processRealtimeFactor: Double
    var effectsRealtimeFactor: Double

    var realtimeFactor: Double {
      sourceRealtimeFactor + processRealtimeFactor + effectsRealtimeFactor
    }

    var json: JSONObject {
      [
        "process": process, "source": source, "effects": effects, "reportedMs": reportedMs,
        "delayMs": JSONObject.orNull(delayMs), "processDelay": JSONObject.orNull(processDelay),
        "effectsDelayMs": JSONObject.orNull(effectsDelayMs), "undefined": undefined?.description,
        "sourceRealtimeFactor": sourceRealtimeFactor,
        "processRealtimeFactor": processRealtimeFactor,
        "effectsRealtimeFactor": effectsRealtimeFactor, "realtimeFactor": realtimeFactor,
      ]
    }
  }

  let plan: TimingPlan
  let blockSize: Int
  let sampleRateHz: Double
  /// The harmonizer, and the score of its voices.
  private let choir: (subject: any LiveSubject, score: ResolvedScore, settings: SubjectSettings)

  /// A group before its effects.
  private struct Base {
    var source: Signal
    var output: Signal
    var latencySamples: Int
    var sourceRealtimeFactor: Double
    var processRealtimeFactor: Double
    var delay: DelayEstimate?
    var undefined: Cause?
  }

  /// Intervals of the voices, of which a choir of two has the first two.
  private static let intervals = [4.0, 7, -5, 12, 3, -12, 9, -8]

  /// - Parameters:
  ///   - subject: the harmonizer; one that doesn't run live is refused.
  ///   - settings: those of the harmonizer.
  ///   - voices: 1 to 8.
  init(
    _ plan: TimingPlan, blockSize: Int = 128, sampleRateHz: Double = 48_000,
    of subject: any Subject = ReferenceSubject(), settings: SubjectSettings = [:], voices: Int = 2
  ) throws {
    try require("blockSize", Double(blockSize), in: 1...8192)
    try require("sampleRateHz", sampleRateHz, in: 8_000...192_000)
    (self.plan, self.blockSize, self.sampleRateHz) = (plan, blockSize, sampleRateHz)
    let bench = try ProbeBench(subject)
    guard let live = bench.live else {
      throw Refusal(subject.id, "it doesn't run block by block; measure it by choir-eval probe")
    }
    let score = bench.score(intervals: Array(Self.intervals.prefix(voices)))
    try subject.validate(settings, for: score.score)
    choir = (live, score, settings)
  }

  /// Forecasts the duration of the run from a few rows spread over the plan.
  func forecastSeconds() throws -> Double {
    let largest = plan.groups.max { $0.chains.count < $1.chains.count }!
    let before = WallClock.seconds
    let base = try base(of: TimingPlan.Group(process: .both, source: .live, chains: []))
    let between = WallClock.seconds
    let tried = 6
    for index in 0..<tried {
      let place = index * (largest.chains.count - 1) / (tried - 1)
      _ = try row(largest, largest.chains[place], base)
    }
    let each = (WallClock.seconds - between) / Double(tried)
    return (between - before) * Double(plan.groups.count) + each * Double(plan.rowCount)
  }

  /// Measures all rows.
  ///
  /// - Parameter report: called with each row.
  func rows(report: (Row) -> Void = { _ in }) throws -> [Row] {
    try plan.groups.flatMap { group in
      let base = try base(of: group)
      return try group.chains.map { chain in
        let row = try row(group, chain, base)
        report(row)
        return row
      }
    }
  }

  private func row(_ group: TimingPlan.Group, _ chain: EffectChain, _ base: Base) throws -> Row {
    let rack = try EffectsRack(chain, sampleRateHz: sampleRateHz)
    var output = base.output
    var effectsFactor = 0.0
    if !chain.stages.isEmpty {
      var (left, right) = (output.samples, output.samples)
      effectsFactor = factor { rack.process(&left, &right, blockSize: blockSize) }
      output.samples = zip(left, right).map { 0.5 * ($0 + $1) }
    }
    let late = base.latencySamples + rack.latencySamples
    var row = Row(
      process: group.process, source: "\(group.source)",
      effects: chain.stages.isEmpty ? "dry" : chain.description,
      reportedMs: Double(late) / sampleRateHz * 1000,
      sourceRealtimeFactor: base.sourceRealtimeFactor,
      processRealtimeFactor: base.processRealtimeFactor, effectsRealtimeFactor: effectsFactor)
    (row.processDelay, row.undefined) = (base.delay, base.undefined)
    if chain.stages.isEmpty {
      row.effectsDelayMs = 0
    } else {
      do { row.effectsDelayMs = try Self.delayMs(of: output, from: base.output) } catch {
        row.undefined = Cause(error)
      }
    }
    return row
  }

  /// Measures a delay by the waveform, which changes of level don't affect, or else by onsets.
  private static func delayMs(of output: Signal, from input: Signal) throws -> Double {
    if let found = try? WaveformDelay(of: output, from: input, longestMs: 100) {
      return found.delayMs
    }
    return try EventDelay(of: output, from: input).estimate.medianMs
  }

  private func base(of group: TimingPlan.Group) throws -> Base {
    let (source, sourceFactor) = try sound(of: group.source)
    var base = Base(
      source: source, output: source, latencySamples: 0, sourceRealtimeFactor: sourceFactor,
      processRealtimeFactor: 0)
    for process in try processes(group.process) {
      base.processRealtimeFactor += try factor {
        base.output.samples = try process.played(base.output.samples) { _ in blockSize }
      }
      base.latencySamples += process.latencySamples
    }
    do { base.delay = try EventDelay(of: base.output, from: source).estimate } catch {
      base.undefined = Cause(error)
    }
    return base
  }

  private func processes(_ process: TimingPlan.Process) throws -> [any LiveSound] {
    let bench = try ProbeBench(AutoTunerSubject())
    let tuner = try AutoTunerSubject().start(
      bench.followingScore(noteHz: 220, semitones: 0), settings: [:], sampleRateHz: sampleRateHz)
    let choir = try choir.subject.start(
      choir.score, settings: choir.settings, sampleRateHz: sampleRateHz)
    return switch process {
    case .none: []
    case .autotune: [tuner]
    case .harmonize: [choir]
    case .both: [tuner, choir]
    }
  }

  /// Returns five notes, live or of a sample, and the real-time factor of rendering the sample, which is
  /// done once.
  private func sound(of source: TimingPlan.Source) throws -> (Signal, Double) {
    let notes = ProbeSounds.beats(hz: 220, sampleRateHz: sampleRateHz)
    guard case .sample(let key) = source else { return (notes, 0) }
    let note = notes.cut(0.2...0.5)
    var keys = PlayedKeys(note)
    keys.ownKey = 57
    var output = [Float](repeating: 0, count: notes.count)
    let every = Int(0.5 * sampleRateHz)
    var played: [Float] = []
    let cost = try factor { played = try keys.sound(ofKey: key) }
    for start in stride(from: every / 2, to: notes.count, by: every) {
      for (i, value) in played.enumerated() where start + i < notes.count {
        output[start + i] += value
      }
    }
    return (Signal(output, sampleRateHz: sampleRateHz), cost)
  }

  /// Returns the time to write the notes of a live voice as a stereo file in each format of exports that
  /// this machine writes, over their duration.
  func exportFactors() throws -> [(format: AudioFormat, factor: Double)] {
    let notes = ProbeSounds.beats(hz: 220, sampleRateHz: sampleRateHz)
    let sound = AudioFile(channels: [notes.samples, notes.samples], sampleRateHz: sampleRateHz)
    let folder = try ScratchFolder()
    defer { folder.discard() }
    return try ProjectExport.formats.filter { $0.encoderProblem == nil }.map { format in
      let file = folder.file("sound.\(format.rawValue)")
      return (format, try factor { try sound.write(to: file.path) })
    }
  }

  private func factor(_ work: () throws -> Void) rethrows -> Double {
    let before = ThreadClock.seconds
    try work()
    let notes = 0.3 + 5 * 0.5
    return (ThreadClock.seconds - before) / notes
  }
}
