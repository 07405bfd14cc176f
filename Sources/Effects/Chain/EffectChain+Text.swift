extension EffectChain: CustomStringConvertible {
  /// In the chain language, in the shortest form that reads back as the same chain.
  public var description: String {
    guard !stages.isEmpty else { return Self.dry }
    return stages.map { stage in
      switch stage {
      case .link(let link): link.description
      case .parallel(let branches): "(\(branches.map(\.description).joined(separator: " | ")))"
      }
    }.joined(separator: " > ")
  }

  /// What the language calls a chain of nothing.
  static let dry = "dry"
}

extension EffectChain.Link: CustomStringConvertible {
  /// The effect's name, and what is not as usual.
  public var description: String {
    func arguments<Settings: EffectSettings>(_ settings: Settings) -> [String] {
      zip(Settings.traits, settings.values).filter { $0.usual != $1 }.map { "\($0.name)=\($1)" }
    }
    var arguments = arguments(settings)
    if mix != type(of: settings).usualMix { arguments.append("mix=\(EffectValue.number(mix))") }
    if !isOn { arguments.append("isOn=false") }
    return arguments.isEmpty ? effect : "\(effect)(\(arguments.joined(separator: ",")))"
  }

  /// What every link has beside its effect's parameters.
  static func traits(of settings: any EffectSettings) -> [EffectTrait] {
    [
      EffectTrait(
        name: "mix", summary: "share of wet sound", allowed: .numbers(0...1),
        usual: .number(type(of: settings).usualMix)),
      EffectTrait(
        name: "isOn", summary: "whether it is heard", allowed: .flags, usual: .flag(true)),
    ]
  }
}
