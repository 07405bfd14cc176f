import ArgumentParser
import CommandSupport
import DSP
import Harmonizer

/// Options that come from the list of parameters: the flag has the name of its property, and range
/// and help are those of the parameter.
extension Option where Value == Double? {
  /// The option of a setting of a choir or its voices.
  init(choir name: String) { self.init(name, of: Harmonizer.Settings.commonInfos) }

  /// The option of a setting of the auto-tuner's correction.
  init(correction name: String) { self.init(name, of: PitchCorrection.infos) }

  private init(_ name: String, of parameters: [ParameterInfo]) {
    guard let info = parameters.first(where: { $0.name == name }),
      case .numbers(let range) = info.allowed
    else { preconditionFailure("there is no number '\(name)'") }
    var help = info.summary.capitalizedFirst
    if info.defaultValue != .number(0) { help += "; default: \(info.defaultValue)" }
    self.init(help: ArgumentHelp("\(help)."), in: range)
  }
}

extension ParsableArguments {
  /// The numbers of the options that were given, by the names of their properties.
  var givenNumbers: [(name: String, value: Double)] {
    properties.compactMap { name, value in
      (value as? Option<Double?>)?.wrappedValue.map { (name, $0) }
    }
  }

  /// The options and switches that were given, in the order of their properties.
  var givenFlags: [String] {
    properties.compactMap { name, value -> String? in
      guard let option = value as? any OptionalOption, option.isGiven else { return nil }
      return "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }
  }

  /// The properties by name; a wrapper stores its property as `_name`.
  private var properties: [(name: String, value: Any)] {
    Mirror(reflecting: self).children.map { child in
      (name: String((child.label ?? "").drop { $0 == "_" }), value: child.value)
    }
  }

  /// Throws if more than one of these flags was given.
  func refuseSeveral(_ flags: [String], _ problem: String) throws {
    let given = givenFlags.filter(flags.contains)
    if given.count > 1 { throw ValidationError("\(given[0]) and \(given[1]) \(problem)") }
  }
}

/// An option or a switch that may be left out.
private protocol OptionalOption {
  var isGiven: Bool { get }
}

extension Flag: OptionalOption {
  fileprivate var isGiven: Bool { wrappedValue as? Bool == true }
}

extension Option: OptionalOption {
  fileprivate var isGiven: Bool {
    let value = Mirror(reflecting: wrappedValue)
    return value.displayStyle == .optional && !value.children.isEmpty
  }
}
