import Corpus
import DSP
import Harmonizer

/// What makes the voices of a choir: an engine that runs live, or the one that has to know the whole
/// recording.
public enum ChoirEngine: Equatable, Sendable {
  case live(Engine)
  case offline(OfflineEngine)

  /// What users may call one.
  public static let names = Engine.Name.allCases.map(\.rawValue) + [OfflineEngine.name]

  public var name: String {
    switch self {
    case .live(let engine): engine.name.rawValue
    case .offline: OfflineEngine.name
    }
  }

  /// As `Engine.chosen`, with the offline engine beside the others.
  public static func chosen(
    by settings: SubjectSettings
  ) throws(SettingError) -> (engine: ChoirEngine, others: SubjectSettings) {
    let wanted = settings["engine"].map { "\($0)" }
    if let wanted, !names.contains(wanted) {
      throw SettingError(
        description: "there is no engine '\(wanted)'; there is \(names.joined(separator: ", "))")
    }
    guard wanted == OfflineEngine.name else {
      let (engine, others) = try Engine.chosen(by: settings)
      return (.live(engine), others)
    }
    var engine = OfflineEngine()
    let others = try engine.take(from: settings.filter { $0.key != "engine" })
    return (.offline(engine), others)
  }

  /// The names of what can be chosen of this engine.
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

/// What can be chosen of the offline engine by name.
public struct OfflineEngine: SetByName, Codable, Equatable, Sendable {
  public static let name = "offline"

  /// See `OfflineShifter.Settings`.
  public var fillsGaps = true
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
