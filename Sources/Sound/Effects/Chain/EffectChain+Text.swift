extension EffectChain: CustomStringConvertible {
  /// The chain in the chain language, in the shortest form that is parsed as the same chain.
  public var description: String {
    guard !stages.isEmpty else { return Self.dry }
    return stages.map { stage in
      switch stage {
      case .link(let link): link.description
      case .parallel(let branches): "(\(branches.map(\.description).joined(separator: " | ")))"
      }
    }.joined(separator: " > ")
  }

  /// The name of an empty chain in the language.
  static let dry = "dry"
}

extension EffectChain.Link: CustomStringConvertible {
  /// The effect's name, and all settings that aren't defaults.
  public var description: String {
    func arguments<Settings: EffectSettings>(_ settings: Settings) -> [String] {
      zip(Settings.traits, settings.values).filter { $0.defaultValue != $1 }.map {
        "\($0.name)=\($1)"
      }
    }
    var arguments = arguments(settings)
    if mix != type(of: settings).defaultMix { arguments.append("mix=\(EffectValue.number(mix))") }
    if !isOn { arguments.append("isOn=false") }
    return arguments.isEmpty ? effect : "\(effect)(\(arguments.joined(separator: ",")))"
  }

  /// The parameters that every link has in addition to its effect's.
  static func traits(of settings: any EffectSettings) -> [EffectTrait] {
    [
      EffectTrait(
        name: "mix", summary: "share of wet sound", allowed: .numbers(0...1),
        defaultValue: .number(type(of: settings).defaultMix)),
      EffectTrait(
        name: "isOn", summary: "false bypasses the effect", allowed: .flags,
        defaultValue: .flag(true)),
    ]
  }
}
