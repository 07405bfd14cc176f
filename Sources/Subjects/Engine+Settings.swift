import Corpus
import Harmonizer

extension Engine: SetByName {
  /// The engine that `settings` choose by `engine`, `usual` if they don't, with whatever else
  /// of it they name.
  ///
  /// - Returns: also the settings that are not of the engine.
  /// - Throws: words for a person.
  public static func chosen(
    by settings: SubjectSettings
  ) throws(SettingError) -> (engine: Engine, others: SubjectSettings) {
    var others = settings
    var engine = Engine.usual
    if let wanted = others.removeValue(forKey: "engine") {
      guard let known = Name(rawValue: "\(wanted)") else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingError(description: "there is no engine '\(wanted)'; there is \(names)")
      }
      engine = Engine(known)
    }
    others = try engine.take(from: others)
    return (engine, others)
  }
}
