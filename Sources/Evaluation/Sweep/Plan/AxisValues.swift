import Corpus
import Foundation
import Platform

/// The values of one setting in a plan: a list, `[10, 20]`, or a range,
/// `{from: 5, to: 80, steps: 5, scale: log}`.
///
/// The values of a range are rounded to six significant digits, so that their names are short and
/// equal on every machine.
struct AxisValues: Decodable {
  var values: [SettingValue]

  enum Scale: String, CaseIterable { case linear, log }
  private enum CodingKeys: String, CodingKey, CaseIterable { case from, to, steps, scale }

  init(from decoder: any Decoder) throws {
    func refuse(_ problem: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
    }
    if var list = try? decoder.unkeyedContainer() {
      values = []
      while !list.isAtEnd { values.append(try list.decode(SettingValue.self)) }
      return
    }
    guard let range = try? decoder.container(keyedBy: CodingKeys.self),
      let names = try? decoder.container(keyedBy: Place.self).allKeys.map(\.stringValue)
    else { throw refuse("is no list of values; write [10, 20], or a range, \(Self.example)") }
    let allowed = CodingKeys.allCases.map(\.rawValue)
    if let stray = names.first(where: { !allowed.contains($0) }) {
      throw refuse("a range has no '\(stray)'; it has \(allowed.joined(separator: ", "))")
    }
    func number(_ key: CodingKeys) throws -> Double {
      guard let number = try? range.decode(Double.self, forKey: key), number.isFinite else {
        throw refuse("the range needs a number '\(key.rawValue)'; write it as in \(Self.example)")
      }
      return number
    }
    let (from, to) = (try number(.from), try number(.to))
    guard let steps = Int(exactly: try number(.steps)), 2...10_000 ~= steps else {
      throw refuse("'steps' is the number of values; choose a whole number from 2 to 10000")
    }
    let text = try? range.decodeIfPresent(String.self, forKey: .scale)
    guard let scale = Scale(rawValue: text ?? Scale.linear.rawValue) else {
      throw refuse("the scale is '\(text ?? "")'; choose linear, log")
    }
    guard from < to else {
      throw refuse("'from' is \(from) and 'to' is \(to); choose a smaller 'from'")
    }
    guard scale == .linear || from > 0 else {
      throw refuse("a log scale can't begin at \(from); choose more than 0, or scale: linear")
    }
    values = Self.values(from: from, to: to, steps: steps, scale).map { .number($0) }
  }

  private static let example = "{from: 5, to: 80, steps: 5, scale: log}"

  static func values(from: Double, to: Double, steps: Int, _ scale: Scale) -> [Double] {
    (0..<steps).map { step in
      let share = Double(step) / Double(steps - 1)
      let value =
        switch scale {
        case .linear: from + (to - from) * share
        case .log: from * pow(to / from, share)
        }
      return Double(String(format: "%.6g", value))!
    }
  }
}
