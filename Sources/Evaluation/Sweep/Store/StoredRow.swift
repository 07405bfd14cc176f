import Foundation
import GRDB
import Metrics
import Platform

/// An invalid row of a store.
struct StoreDamage: Error, Equatable, CustomStringConvertible {
  var table: String
  /// Key of the row: `cell 12, metric 3`.
  var row: String
  var problem: String

  var description: String { "table \(table), row \(row): \(problem)" }
}

/// A row whose columns are checked as they are read, since the file may have been edited.
///
/// - Cost: a check of the column's type; texts are only created for errors.
struct StoredRow {
  let row: Row
  let table: String
  /// Number of leading columns that are the row's key.
  var keys = 1

  func text(_ column: Int) throws(StoreDamage) -> String {
    guard case .string(let text) = storage(column) else { throw damage(column, "text") }
    return text
  }

  func isEmpty(_ column: Int) -> Bool {
    if case .null = storage(column) { true } else { false }
  }

  func textOrNone(_ column: Int) throws(StoreDamage) -> String? {
    try isEmpty(column) ? nil : text(column)
  }

  func number(_ column: Int, in range: ClosedRange<Double>) throws(StoreDamage) -> Double {
    let number: Double
    switch storage(column) {
    case .double(let value): number = value
    case .int64(let value): number = Double(value)
    default: throw damage(column, "a number")
    }
    guard range.contains(number) else {
      throw damage(
        column,
        number.isFinite
          ? "a number from \(range.lowerBound) to \(range.upperBound)" : "a finite number")
    }
    return number
  }

  func numberOrNone(_ column: Int, in range: ClosedRange<Double>) throws(StoreDamage) -> Double? {
    try isEmpty(column) ? nil : number(column, in: range)
  }

  func whole<Number: FixedWidthInteger>(
    _ column: Int, in range: ClosedRange<Number> = .min ... .max
  ) throws(StoreDamage) -> Number {
    guard case .int64(let value) = storage(column) else { throw damage(column, "a whole number") }
    guard let number = Number(exactly: value), range.contains(number) else {
      throw damage(column, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func wholeOrNone<Number: FixedWidthInteger>(
    _ column: Int, in range: ClosedRange<Number> = .min ... .max
  ) throws(StoreDamage) -> Number? {
    try isEmpty(column) ? nil : whole(column, in: range)
  }

  /// Returns little-endian 32-bit floats, each finite and at least 0.
  func floats(_ column: Int) throws(StoreDamage) -> [Float] {
    guard case .blob(let data) = storage(column), data.count % 4 == 0 else {
      throw damage(column, "32-bit floats")
    }
    let floats = [Float](data: data)
    guard floats.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
      throw damage(column, "floats of at least 0")
    }
    return floats
  }

  func json<Value: Decodable>(
    _ column: Int, as what: String, _: Value.Type = Value.self
  ) throws(StoreDamage) -> Value {
    try decoded(text(column), column, as: what)
  }

  func decoded<Value: Decodable>(
    _ text: String, _ column: Int, as what: String
  ) throws(StoreDamage) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
      let reason = (error as? DecodingError)?.text(in: text) ?? "\(error)"
      throw StoreDamage(
        table: table, row: name, problem: "\(self.name(ofColumn: column)) is no \(what): \(reason)")
    }
  }

  /// A reason from the columns of its code and its detail.
  func undefined(_ column: Int) throws(StoreDamage) -> Undefined {
    guard let code = Undefined.Code(rawValue: try text(column)) else {
      throw damage(column, "the code of a reason")
    }
    return Undefined(code, try text(column + 1))
  }

  func damage(_ column: Int, _ wanted: String) -> StoreDamage {
    StoreDamage(
      table: table, row: name,
      problem: "\(name(ofColumn: column)) is \(Self.text(storage(column))); expected \(wanted)")
  }

  private func storage(_ column: Int) -> DatabaseValue.Storage {
    let value: DatabaseValue = row[column]
    return value.storage
  }

  private func name(ofColumn column: Int) -> String {
    Array(row.columnNames)[column]
  }

  private var name: String {
    (0..<keys).map { column in
      let text = Self.text(storage(column))
      return keys == 1 ? text : "\(name(ofColumn: column)) \(text)"
    }.joined(separator: ", ")
  }

  private static func text(_ storage: DatabaseValue.Storage) -> String {
    switch storage {
    case .null: "empty"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text):
      "'\(String(text.unicodeScalars.prefix(60).filter { $0.properties.generalCategory != .control }.map(Character.init)))'"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}
