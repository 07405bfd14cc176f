import Subjects

extension Plan {
  /// The same recordings and conditions for a preset with its own voices, under its name.
  public func playing(_ preset: PresetSubject) -> Plan {
    var plan = with(subject: preset.id)
    (plan.name, plan.title) = ("\(name) \(preset.id)", preset.preset.summary)
    (plan.scores, plan.settings, plan.constraints) = ([preset.score], SettingAxes([]), nil)
    plan.subjects = [SubjectChoice(id: preset.id)]
    return plan
  }
}
