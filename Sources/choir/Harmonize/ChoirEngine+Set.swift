import ArgumentParser
import Corpus
import Subjects

extension ChoirEngine {
  /// Returns the engine with the settings that other flags gave and those of `--set`, NAME=VALUE each.
  static func chosen(by known: SubjectSettings, and settings: [String]) throws -> ChoirEngine {
    _ = try named("--engine") { try ChoirEngine.chosen(by: known) }
    var chosen = known
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("--set '\(setting)' is no setting; write NAME=VALUE.")
      }
      guard chosen[parts[0]] == nil else {
        throw ValidationError("--set \(setting): \(parts[0]) is given twice; leave one out.")
      }
      chosen[parts[0]] = Double(parts[1]).map(SettingValue.number) ?? .text(parts[1])
    }
    do {
      let (engine, others) = try ChoirEngine.chosen(by: chosen)
      if let stranger = others.keys.sorted().first {
        throw ValidationError(
          "--set: the engine \(engine.name) has no setting '\(stranger)'; choose "
            + "\(engine.settingNames.joined(separator: ", ")).")
      }
      return engine
    } catch let problem as SettingError { throw ValidationError("--set: \(problem).") }
  }
}
