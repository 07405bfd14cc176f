import Corpus
import DSP
import Foundation
import Harmonizer
import Platform

/// The harmonizer of this package, rendered block by block as on an audio thread.
///
/// A score's changes reach the voices before each block. The harmonizer tracks the lead itself, as it
/// does for a user. With `leadPitch` set to `given` it gets the evaluation's track instead, so that
/// all errors are the engine's (see `VoiceCues`).
///
/// The engine `offline` analyzes the whole recording first, with an offline tracker or the
/// evaluation's track. It cannot be played live and so states no latency.
///
/// An engine's name alone is this subject with that engine: `psola` is `reference` with `engine: psola`.
///
/// Settings: `engine` (`Engine.default`), those of the engine by their names, those of
/// `Harmonizer.Settings.commonInfos`, `leadPitch` (`live`), and `blockSize` (frames, 128).
public struct ReferenceSubject: LiveSubject {
  public let id: String
  public let version = "12"
  /// The engine that the id names; `nil` if the setting chooses it.
  private let engine: String?

  public init() { (id, engine) = ("reference", nil) }

  /// Creates `reference` with this engine, under its name.
  public init(engine: String) { (id, self.engine) = (engine, engine) }

  /// The parsed settings.
  private struct Choice {
    var choir: Harmonizer.Settings
    /// The offline engine; `nil` for the choir's live engine.
    var offline: OfflineEngine?
    var leadPitch = LeadPitch.live
    var blockSize = 128
  }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let choice = try choice(settings, for: score)
    do {
      try choice.choir.validate()
      try choice.offline?.validate()
    } catch { throw Refusal(id, error) }
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    let chosen = try? ChoirEngine.chosen(by: whole(settings).filter { $0.key == "engine" })
    return chosen.map { names(with: $0.engine) }
  }

  /// Returns the settings with the engine that the id names.
  private func whole(_ settings: SubjectSettings) throws(SettingError) -> SubjectSettings {
    guard let engine else { return settings }
    if let other = settings["engine"], "\(other)" != engine {
      throw SettingError(
        description:
          "is an engine, but the setting engine asks for '\(other)'; leave the setting out, or name "
          + "the subject 'reference'")
    }
    return settings.merging(["engine": .text(engine)]) { $1 }
  }

  private func names(with chosen: ChoirEngine) -> [String] {
    var choir = Harmonizer.Settings.commonInfos.map(\.name)
    if case .offline = chosen { choir.removeAll { $0 == "lookAheadMs" } }
    return chosen.infos.sortedNames + (engine == nil ? ["engine"] : [])
      + ["blockSize", "leadPitch"] + choir
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try validate(settings, for: score.score)
    let choice = try choice(settings, for: score.score)
    guard let offline = choice.offline else {
      return try Self.render(
        signal, choice.choir, blockSize: choice.blockSize, following: score,
        leadPitch: choice.leadPitch)
    }
    var choir = try ScoredChoir(
      choice.choir, by: offline, singing: score.score, of: signal,
      lead: choice.leadPitch == .given ? score.lead : nil, blockSize: choice.blockSize)
    return Self.render(signal, &choir, blockSize: choice.blockSize)
  }

  /// Renders a signal.
  ///
  /// - Parameters:
  ///   - logging: true to keep the truth log.
  ///   - score: the score of the voices; it has as many as the settings.
  public static func render(
    _ signal: Signal, _ settings: Harmonizer.Settings, blockSize: Int, logging: Bool = false,
    following score: ResolvedScore? = nil, leadPitch: LeadPitch = .live
  ) throws -> Rendering {
    var choir = try ScoredChoir(
      settings, following: score, leadPitch: leadPitch, sampleRateHz: signal.sampleRateHz,
      logging: logging)
    return render(signal, &choir, blockSize: blockSize)
  }

  private static func render(
    _ signal: Signal, _ choir: inout ScoredChoir, blockSize: Int
  ) -> Rendering {
    let (channels, stems) = choir.render(signal, blockSize: blockSize, keepingStems: true)
    let log = choir.log
    return Rendering(
      mix: Signal(channels[0], sampleRateHz: signal.sampleRateHz),
      stems: stems.map { Signal($0, sampleRateHz: signal.sampleRateHz) },
      reportedLatencyMs: choir.isOffline
        ? nil : Double(choir.latencySamples) / signal.sampleRateHz * 1000,
      cpuSeconds: choir.preparationSeconds
        + cpuSeconds(of: &choir, processing: signal, blockSize: blockSize),
      truthLog: log)
  }

  /// Measures the processor time of a second pass without stems and log. Reading the clock around
  /// each block would cost a third of a block.
  private static func cpuSeconds(
    of choir: inout ScoredChoir, processing signal: Signal, blockSize: Int
  ) -> Double {
    choir.rewindToTime()
    let before = ThreadClock.seconds
    _ = choir.render(signal, blockSize: blockSize)
    return ThreadClock.seconds - before
  }

  private func choice(_ settings: SubjectSettings, for score: Score) throws -> Choice {
    do {
      var (engine, others) = try ChoirEngine.chosen(by: whole(settings))
      let leadPitch = try Self.leadPitch(others.removeValue(forKey: "leadPitch"))
      var choice: Choice
      switch engine {
      case .live(let engine):
        choice = Choice(choir: score.choir(leadPitch: leadPitch), leadPitch: leadPitch)
        choice.choir.engine = engine
      case .offline(let offline):
        guard others["lookAheadMs"] == nil else {
          throw SettingError(description: "lookAheadMs is for live engines; leave it out")
        }
        choice = Choice(choir: score.choir(), offline: offline, leadPitch: leadPitch)
      }
      others = try others.applied(to: Harmonizer.Settings.commonInfos) {
        choice.choir.setCommon($0, to: $1)
      }
      if let value = others.removeValue(forKey: "blockSize") {
        choice.blockSize = try Self.blockSize(value, of: id)
      }
      if let stray = others.keys.min() {
        throw SettingError(
          description: "has no setting '\(stray)' with this engine; it has "
            + names(with: engine).joined(separator: ", "))
      }
      return choice
    } catch let error as Refusal {
      throw error
    } catch { throw Refusal(id, error) }
  }

  private static func leadPitch(_ value: SettingValue?) throws(SettingError) -> LeadPitch {
    guard let value else { return .live }
    guard let known = LeadPitch(rawValue: "\(value)") else {
      let names = LeadPitch.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(description: "leadPitch is '\(value)'; choose \(names)")
    }
    return known
  }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try validate(settings, for: score.score)
    let choice = try choice(settings, for: score.score)
    guard choice.offline == nil else {
      throw Refusal(
        id, "the engine 'offline' does not run in blocks and can't be timed; choose another")
    }
    return LiveChoir(
      try ScoredChoir(
        choice.choir, following: score, leadPitch: choice.leadPitch, sampleRateHz: sampleRateHz))
  }
}
