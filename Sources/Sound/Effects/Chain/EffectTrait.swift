/// The value of a parameter.
public enum EffectValue: Equatable, Sendable, CustomStringConvertible {
  case number(Double)
  case flag(Bool)
  case word(String)

  /// The value's shortest spelling in a chain.
  public var description: String {
    switch self {
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    case .flag(let isOn): isOn ? "true" : "false"
    case .word(let word): word
    }
  }
}

/// A parameter of an effect of any type: for lists, and for setting by name.
public struct EffectTrait: Equatable, Sendable {
  public enum Allowed: Equatable, Sendable {
    case numbers(ClosedRange<Double>)
    case flags
    case words([String])
  }

  public let name: String
  public let summary: String
  public let allowed: Allowed
  /// The default value.
  public let defaultValue: EffectValue

  public var unit: EffectUnit {
    if case .numbers = allowed {
      EffectUnit(ofParameter: name)
    } else {
      EffectUnit(ofParameter: "")
    }
  }

  /// The allowed values as text: "20 to 20000 Hz".
  public var allowedText: String {
    switch allowed {
    case .numbers(let range):
      "\(EffectValue.number(range.lowerBound)) to \(EffectValue.number(range.upperBound))"
        + (unit.symbol.isEmpty ? "" : " \(unit.symbol)")
    case .flags: "true or false"
    case .words(let words): words.joined(separator: ", ")
    }
  }
}

extension EffectSettings {
  /// The effect's parameters, in their order.
  public static var traits: [EffectTrait] {
    let defaults = Self()
    return parameters.map { parameter in
      let allowed: EffectTrait.Allowed =
        switch parameter.value {
        case .number(_, let range): .numbers(range)
        case .flag: .flags
        case .choice(_, let words): .words(words)
        }
      return EffectTrait(
        name: parameter.name, summary: parameter.summary, allowed: allowed,
        defaultValue: defaults.value(parameter))
    }
  }

  /// The values of the parameters, in their order.
  public var values: [EffectValue] { Self.parameters.map(value) }

  private func value(_ parameter: EffectParameter<Self>) -> EffectValue {
    switch parameter.value {
    case .number(let place, _): .number(self[keyPath: place])
    case .flag(let place): .flag(self[keyPath: place])
    case .choice(let place, _): .word(self[keyPath: place])
    }
  }

  /// A copy with one parameter changed; unchanged if none has that name and type.
  public func setting(_ name: String, to value: EffectValue) -> Self {
    var changed = self
    guard let parameter = Self.parameters.first(where: { $0.name == name }) else { return self }
    switch (parameter.value, value) {
    case (.number(let place, _), .number(let number)): changed[keyPath: place] = number
    case (.flag(let place), .flag(let isOn)): changed[keyPath: place] = isOn
    case (.choice(let place, _), .word(let word)): changed[keyPath: place] = word
    default: break
    }
    return changed
  }

  /// Tells whether `other` is of the same effect and equal.
  func equals(_ other: any EffectSettings) -> Bool { (other as? Self) == self }
}
