import Corpus
import DSP
import Foundation
import Harmonizer
import Music
import Platform

/// The auto-tuner of this package, rendered block by block as on an audio thread.
///
/// Scores of the form `tuned` set its key; scores with notes for one voice press its keys. It tracks
/// the lead itself, while its target comes from the evaluation's tracker. So errors of its tracker
/// count too.
///
/// Settings: those of `PitchCorrection` by their names, `lookAheadMs`, `lowDelay` (0 or 1),
/// `engine`, those of the engine by their names, and `blockSize` (frames, 128).
public struct AutoTunerSubject: LiveSubject {
  public let id = "autotuner"
  public let version = "8"

  public init() {}

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let (tuner, _) = try tunerSettings(settings, for: score)
    do { try tuner.validate() } catch {
      throw Refusal(id, error)
    }
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    let chosen = ["engine": settings["engine"] ?? Self.defaultEngine]
    return (try? Self.engine(chosen)).map { Self.names(with: $0.engine) }
  }

  private static func names(with engine: ChoirEngine) -> [String] {
    (PitchCorrection.infos + tracking).sortedNames + ["engine", "blockSize"]
      + engine.infos.sortedNames
  }

  private static let defaultEngine = SettingValue.text(
    AutoTuner.Settings.defaultEngine.name.rawValue)

  private static func engine(
    _ settings: SubjectSettings
  ) throws(SettingError) -> (engine: ChoirEngine, others: SubjectSettings) {
    try ChoirEngine.chosen(by: settings, from: ChoirEngine.liveNames)
  }

  /// The tuner's own settings that plans set, beside those of its correction.
  private static let tracking = AutoTuner.Settings.infos.filter {
    ["lookAheadMs", "lowDelay"].contains($0.name)
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try validate(settings, for: score.score)
    let (tuner, blockSize) = try tunerSettings(settings, for: score.score)
    return try Self.render(signal, tuner, playing: score.score.events, blockSize: blockSize)
  }

  /// Renders a signal.
  ///
  /// - Parameter events: keys, pedals and bends, in order of time.
  public static func render(
    _ signal: Signal, _ settings: AutoTuner.Settings, playing events: [ScoreEvent] = [],
    blockSize: Int
  ) throws -> Rendering {
    var tuner = try AutoTuner(settings, sampleRateHz: signal.sampleRateHz)
    var log = TuningLog(of: tuner)
    let events = NoteEvent.onOneKeyboard(events)
    let sound = play(signal, events, on: &tuner, blockSize: blockSize) { log.record(&$0) }
    // A second pass for the time: reading the clock around each block would cost much of a block.
    tuner.reset()
    let before = ThreadClock.seconds
    _ = play(signal, events, on: &tuner, blockSize: blockSize) { _ in }
    let cpuSeconds = ThreadClock.seconds - before
    return Rendering(
      mix: sound, stems: [sound],
      reportedLatencyMs: Double(tuner.latencySamples) / signal.sampleRateHz * 1000,
      cpuSeconds: cpuSeconds, tuningLog: log)
  }

  /// Processes a signal in blocks that also end at every key event; block boundaries don't change the
  /// sound.
  private static func play(
    _ signal: Signal, _ events: [NoteEvent], on tuner: inout AutoTuner, blockSize: Int,
    after: (inout AutoTuner) -> Void
  ) -> Signal {
    var output = [Float](repeating: 0, count: signal.count)
    var target = output.mutableSpan
    var (start, played) = (0, 0)
    while start < signal.count {
      while played < events.count, sample(of: events[played], signal) <= start {
        tuner.perform(events[played].action)
        played += 1
      }
      let next = played < events.count ? sample(of: events[played], signal) : .max
      let range = start..<min(start + blockSize, next, signal.count)
      var part = target._mutatingExtracting(range)
      tuner.process(signal.samples.span.extracting(range), into: &part)
      after(&tuner)
      start = range.upperBound
    }
    return Signal(output, sampleRateHz: signal.sampleRateHz)
  }

  private static func sample(of event: NoteEvent, _ signal: Signal) -> Int {
    Int((event.atSeconds * signal.sampleRateHz).rounded())
  }

  package func tunerSettings(
    _ settings: SubjectSettings, for score: Score
  ) throws -> (AutoTuner.Settings, blockSize: Int) {
    var tuner = AutoTuner.Settings(target: try target(of: score))
    do {
      let chosen = ["engine": settings["engine"] ?? Self.defaultEngine]
      var (engine, others) = try Self.engine(settings.merging(chosen) { $1 })
      if case .live(let live) = engine { tuner.engine = live }
      others = try others.applied(to: PitchCorrection.infos) { tuner.correction.set($0, to: $1) }
      others = try others.applied(to: Self.tracking) { tuner.set($0, to: $1) }
      let blockSize = try others.removeValue(forKey: "blockSize").map {
        try Self.blockSize($0, of: id)
      }
      if let stray = others.keys.min() {
        let names = Self.names(with: engine)
        throw problem("has no setting '\(stray)'; it has \(names.joined(separator: ", "))")
      }
      return (tuner, blockSize ?? 128)
    } catch let error as SettingError {
      throw Refusal(id, error)
    }
  }

  private func target(of score: Score) throws -> TuningTarget {
    switch score.form {
    case .tuned(let key): return .key(key)
    case .chords, .progression, .pads, .notes, .sequence, .midi:
      guard score.voiceCount == 1 else {
        throw problem(
          "sings one voice, but the score '\(score.id)' has \(score.voiceCount); choose another")
      }
      return .heldKeys(.asPlayed)
    case .intervals, .degrees, .map:
      throw problem(
        "sings notes, but the score '\(score.id)' has intervals; choose one of the form 'tuned'")
    }
  }

  private func problem(_ text: String) -> Refusal {
    Refusal(id, text)
  }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try validate(settings, for: score.score)
    let tuner = try AutoTuner(
      tunerSettings(settings, for: score.score).0, sampleRateHz: sampleRateHz)
    return LiveTuner(tuner, playing: score.score.events, sampleRateHz: sampleRateHz)
  }
}
