import DSP

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
    let values = settings.values + Self.parameters.compactMap { $0.value(in: self) }
    let arguments = zip(infos, values).filter { $0.defaultValue != $1 }
      .map { "\($0.name)=\($1)" }
    return arguments.isEmpty ? effect : "\(effect)(\(arguments.joined(separator: ",")))"
  }

  /// The parameters that every link has in addition to its effect's.
  private static let parameters: [Parameter<EffectChain.Link>] = [
    .init("mix", \.mix, in: 0...1, "share of wet sound"),
    .init("isOn", \.isOn, "false bypasses the effect"),
  ]

  /// Names, ranges and defaults of the parameters of the effect and of the link.
  public var infos: [ParameterInfo] {
    func defaults<Settings: EffectSettings>(_ settings: Settings) -> EffectChain.Link {
      EffectChain.Link(Settings())
    }
    let defaults = defaults(settings)
    return type(of: settings).infos
      + Self.parameters.compactMap { ParameterInfo($0, defaults: defaults) }
  }

  /// Sets a parameter of the effect or of the link; one that neither has, or a value of another
  /// type, changes nothing.
  public mutating func set(_ name: String, to value: ParameterValue) {
    func changed<Settings: EffectSettings>(_ settings: Settings) -> Settings {
      var settings = settings
      _ = Settings.parameter(name)?.set(value, in: &settings)
      return settings
    }
    settings = changed(settings)
    if let own = Self.parameters.first(where: { $0.name == name }) { _ = own.set(value, in: &self) }
  }
}

/// A chain is coded as its text.
extension EffectChain: TextCoded {
  public init(codedText: String) throws {
    try self.init(parsing: codedText)
    try validate()
  }
}
