import Corpus
import DSP
import Harmonizer

/// The engine of a choir's voices: one that runs live, or the one that needs the whole recording.
public enum ChoirEngine: Equatable, Sendable {
  case live(Engine)
  case offline(OfflineEngine)

  /// The engines' names in settings.
  public static let names = liveNames + [OfflineEngine.name]
  public static let liveNames = Engine.Name.allCases.map(\.rawValue)

  public var name: String {
    switch self {
    case .live(let engine): engine.name.rawValue
    case .offline: OfflineEngine.name
    }
  }

  /// The engine's settings.
  public var infos: [ParameterInfo] {
    switch self {
    case .live(let engine): engine.infos
    case .offline: OfflineEngine.infos
    }
  }

  /// Returns the engine that the setting `engine` names, or the default one, with the settings that
  /// are its own; and the other settings.
  ///
  /// - Parameter names: those of the engines to choose from.
  /// - Throws: an error that lists the engines, or names an invalid value.
  public static func chosen(
    by settings: SubjectSettings, from names: [String] = Self.names
  ) throws(SettingError) -> (engine: ChoirEngine, others: SubjectSettings) {
    var engine = ChoirEngine.live(.default)
    var others = settings
    if let wanted = others.removeValue(forKey: "engine").map({ "\($0)" }) {
      guard names.contains(wanted) else {
        throw SettingError(
          description: "there is no engine '\(wanted)'; choose \(names.joined(separator: ", "))")
      }
      engine = Engine.Name(rawValue: wanted).map { .live(Engine($0)) } ?? .offline(OfflineEngine())
    }
    others = try others.applied(to: engine.infos) { engine.set($0, to: $1) }
    return (engine, others)
  }

  private mutating func set(_ name: String, to value: ParameterValue) -> Bool {
    switch self {
    case .live(var engine):
      defer { self = .live(engine) }
      return engine.set(name, to: value)
    case .offline(var engine):
      defer { self = .offline(engine) }
      return engine.set(name, to: value)
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
public struct OfflineEngine: ParameterizedSettings {
  public static let name = "offline"

  public var fillsGaps = true
  public var mostFillDb = 6.0
  public var formantShiftSemitones = 0.0

  public static let parameters: [Parameter<OfflineEngine>] = [
    .init("fillsGaps", \.fillsGaps, "restores the spectrum between harmonics"),
    .init("mostFillDb", \.mostFillDb, in: 0...60, "largest gain of that restoration"),
    .init(
      "formantShiftSemitones", \.formantShiftSemitones, in: -12...12,
      "formant shift of all voices; 0 keeps the formants"),
  ]

  public init() {}

  public var shifter: OfflineShifter.Settings {
    var settings = OfflineShifter.Settings()
    (settings.fillsGaps, settings.mostFillDb) = (fillsGaps, mostFillDb)
    return settings
  }
}
