import Corpus
import DSP
import Harmonizer
import Synchronization

/// The engine of a choir's voices: one that runs live, or the one that needs the whole recording.
public enum ChoirEngine: Equatable, Sendable {
  case live(Engine)
  case offline(OfflineEngine)

  /// The engines' names in settings.
  public static let names = Engine.Name.allCases.map(\.rawValue) + [OfflineEngine.name]

  public var name: String {
    switch self {
    case .live(let engine): engine.name.rawValue
    case .offline: OfflineEngine.name
    }
  }

  /// An engine that settings choose, and the settings that are not its own.
  private typealias Choice = (engine: ChoirEngine, others: SubjectSettings)

  /// Choices of the latest settings: a report asks a few times for each of 2000, and reading settings
  /// by name takes long.
  private static let known = Mutex<[SubjectSettings: Choice]>([:])
  private static let mostKnown = 8192

  /// Returns the engine that the settings choose, as `Engine.chosen` does, or the offline engine.
  public static func chosen(
    by settings: SubjectSettings
  ) throws(SettingError) -> (engine: ChoirEngine, others: SubjectSettings) {
    if let choice = known.withLock({ $0[settings] }) { return choice }
    let choice = try read(settings)
    known.withLock { known in
      if known.count >= mostKnown { known = [:] }
      known[settings] = choice
    }
    return choice
  }

  private static func read(_ settings: SubjectSettings) throws(SettingError) -> Choice {
    let wanted = settings["engine"].map { "\($0)" }
    if let wanted, !names.contains(wanted) {
      throw SettingError(
        description: "there is no engine '\(wanted)'; choose \(names.joined(separator: ", "))")
    }
    guard wanted == OfflineEngine.name else {
      let (engine, others) = try Engine.chosen(by: settings)
      return (.live(engine), others)
    }
    var engine = OfflineEngine()
    let others = try engine.take(from: settings.filter { $0.key != "engine" })
    return (.offline(engine), others)
  }

  /// The names of this engine's settings.
  public var settingNames: [String] {
    switch self {
    case .live(let engine): engine.settingNames
    case .offline(let engine): engine.settingNames
    }
  }

  public func validate() throws(SettingsError) {
    switch self {
    case .live(let engine): try engine.validate()
    case .offline(let engine): try engine.validate()
    }
  }
}

/// The settings of the offline engine, by name.
public struct OfflineEngine: SetByName, Codable, Equatable, Sendable {
  public static let name = "offline"

  /// Fills gaps; see `OfflineShifter.Settings`.
  public var fillsGaps = true
  /// Largest gain of a filled gap; see `OfflineShifter.Settings`.
  public var mostFillDb = 6.0
  /// Moves the formants of all voices; 0 keeps them.
  public var formantShiftSemitones = 0.0

  public init() {}

  public var shifter: OfflineShifter.Settings {
    var settings = OfflineShifter.Settings()
    (settings.fillsGaps, settings.mostFillDb) = (fillsGaps, mostFillDb)
    return settings
  }

  public func validate() throws(SettingsError) {
    try shifter.validate()
    try require("formantShiftSemitones", formantShiftSemitones, in: -12...12)
  }
}

extension Engine: SetByName {
  /// Returns the engine that the setting `engine` names, or the default one, with the settings that
  /// are its own; and the other settings.
  ///
  /// - Throws: an error that lists the engines, or names an invalid value.
  public static func chosen(
    by settings: SubjectSettings
  ) throws(SettingError) -> (engine: Engine, others: SubjectSettings) {
    var others = settings
    var engine = Engine.default
    if let wanted = others.removeValue(forKey: "engine") {
      guard let known = Name(rawValue: "\(wanted)") else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingError(description: "there is no engine '\(wanted)'; choose \(names)")
      }
      engine = Engine(known)
    }
    others = try engine.take(from: others)
    return (engine, others)
  }
}
