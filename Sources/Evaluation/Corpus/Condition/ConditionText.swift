import DSP
import Foundation
import Platform

/// The text form of conditions in plans: `clean`, `noise(snrDb=20,colour=pink)`.
extension Condition: TextCoded, CustomStringConvertible {
  /// A parameter in the text form.
  fileprivate struct Parameter {
    var name: String
    /// Allowed numbers; `nil` for a word.
    var range: ClosedRange<Double>?
    /// Allowed words; empty for any.
    var choices: [String] = []
    /// The value if it is left out; `nil` if it must be written.
    var standard: String?
  }

  private static let seed = Parameter(name: "seed", range: 0...1e9, standard: "1")

  /// The conditions and their parameters.
  private static let forms: [(name: String, parameters: [Parameter])] = [
    ("clean", []),
    (
      "noise",
      [
        Parameter(name: "snrDb", range: -20...80),
        Parameter(
          name: "colour", choices: NoiseColour.allCases.map(\.rawValue), standard: "white"), seed,
      ]
    ),
    (
      "room",
      [
        Parameter(name: "rt60S", range: 0.05...10),
        Parameter(name: "directDb", range: -30...40, standard: "5"), seed,
      ]
    ),
    ("level", [Parameter(name: "db", range: -90...40)]),
    ("clip", [Parameter(name: "overDb", range: 0...60)]),
    ("bandwidth", [Parameter(name: "hz", range: 200...20_000)]),
    ("bleed", [Parameter(name: "id"), Parameter(name: "levelDb", range: -80...20)]),
  ]

  /// The only spelling of this condition; defaults are written out.
  public var canonical: String {
    func short(_ value: Double) -> String { SettingValue.number(value).description }
    let (name, values): (String, [String]) =
      switch self {
      case .clean: ("clean", [])
      case .noise(let snr, let colour, let seed):
        ("noise", [short(snr), colour.rawValue, "\(seed)"])
      case .room(let room): ("room", [short(room.rt60S), short(room.directDb), "\(room.seed)"])
      case .level(let db): ("level", [short(db)])
      case .clip(let over): ("clip", [short(over)])
      case .bandwidth(let hz): ("bandwidth", [short(hz)])
      case .bleed(let id, let level): ("bleed", [id, short(level)])
      }
    let parameters = Self.forms.first { $0.name == name }?.parameters ?? []
    let pairs = zip(parameters, values).map { "\($0.name)=\($1)" }
    return name + (pairs.isEmpty ? "" : "(\(pairs.joined(separator: ",")))")
  }

  public var description: String { canonical }

  /// Parses the text form.
  ///
  /// - Throws: a `Refusal`, which lists what is allowed.
  public init(_ text: String) throws(Refusal) {
    var (name, written) = try Self.parts(of: text)
    guard let form = Self.forms.first(where: { $0.name == name }) else {
      throw Refusal(
        "there is no condition '\(name)'; choose one of "
          + Self.forms.map(\.name).joined(separator: ", "))
    }
    var values: [String] = []
    for parameter in form.parameters {
      values.append(try parameter.value(written.removeValue(forKey: parameter.name), of: name))
    }
    if let stray = written.keys.min() {
      let names = form.parameters.map(\.name).joined(separator: ", ")
      throw Refusal(
        "\(name) has no '\(stray)'; it "
          + (names.isEmpty ? "takes no parameters" : "has \(names)"))
    }
    func number(_ index: Int) -> Double { Double(values[index])! }
    self =
      switch name {
      case "noise":
        .noise(snrDb: number(0), colour: NoiseColour(rawValue: values[1])!, seed: UInt64(number(2)))
      case "room": .room(Room(rt60S: number(0), directDb: number(1), seed: UInt64(number(2))))
      case "level": .level(db: number(0))
      case "clip": .clip(overDb: number(0))
      case "bandwidth": .bandwidth(hz: number(0))
      case "bleed": .bleed(id: values[0], levelDb: number(1))
      default: .clean
      }
  }

  /// Splits a text into the name and the values by parameter.
  private static func parts(
    of text: String
  ) throws(Refusal) -> (name: String, values: [String: String]) {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard let open = text.firstIndex(of: "(") else { return (text, [:]) }
    let malformed = Refusal(
      "'\(text)' is not a condition; write it as in 'noise(snrDb=20,colour=pink)'")
    guard text.last == ")" else { throw malformed }
    var values: [String: String] = [:]
    for part in text[text.index(after: open)...].dropLast().split(separator: ",") {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard sides.count == 2, !sides[0].isEmpty, values[sides[0]] == nil else { throw malformed }
      values[sides[0]] = sides[1]
    }
    return (text[..<open].trimmingCharacters(in: .whitespaces), values)
  }

  public init(codedText: String) throws { try self.init(codedText) }
}

extension Condition.Parameter {
  /// Checks a value as it is written.
  fileprivate func value(_ written: String?, of condition: String) throws(Refusal) -> String {
    guard let value = written ?? standard, !value.isEmpty else {
      throw Refusal("\(condition) needs \(name); write \(condition)(\(name)=…)")
    }
    if let range {
      guard let number = Double(value) else {
        throw Refusal("\(name) of \(condition) is '\(value)'; write a number")
      }
      guard range.contains(number) else {
        throw Refusal(
          "\(name) of \(condition) is \(number); choose \(range.lowerBound) to \(range.upperBound)")
      }
      guard name != "seed" || number == number.rounded() else {
        throw Refusal("\(name) of \(condition) is \(number); write a whole number")
      }
    } else if !choices.isEmpty, !choices.contains(value) {
      throw Refusal(
        "\(name) of \(condition) is '\(value)'; choose "
          + choices.joined(separator: ", "))
    }
    return value
  }
}

extension Condition {
  /// A recording for people, with its condition unless that is clean.
  ///
  /// - Parameter condition: in canonical form.
  package static func place(_ recording: String, _ condition: String) -> String {
    condition == clean.canonical ? recording : "\(recording) · \(condition)"
  }
}
