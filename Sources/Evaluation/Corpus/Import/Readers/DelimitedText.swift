import Foundation
import Platform
import SwiftCSV

/// A table in text: fields separated by commas, semicolons, tabs, bars or spaces, with any line ends.
///
/// Empty lines and lines that begin with `#` are skipped. The first row is the header if its first
/// field is not a number.
public struct DelimitedText: Sendable {
  public struct Row: Equatable, Sendable {
    /// The line number in the file, from 1.
    public var line: Int
    public var fields: [String]
  }

  public enum Separator: Sendable {
    case comma, semicolon, tab, bar
    /// Any run of spaces and tabs.
    case space
  }

  /// The file's path, for errors.
  public let path: String
  public let header: Row?
  public let body: [Row]

  /// Splits a text.
  ///
  /// - Parameter separator: if `nil`, the first of `,` `;` tab and space that the first row has.
  public init(_ text: String, path: String, separator: Separator? = nil) {
    self.path = path
    let lines = Self.lines(of: text)
    let separator = separator ?? lines.first.map { Self.guess($0.text) } ?? .comma
    let rows = lines.map { Row(line: $0.number, fields: Self.fields($0.text, separator)) }
    let hasHeader = rows.first.map { Double($0.fields[0]) == nil } ?? false
    header = hasHeader ? rows.first : nil
    body = hasHeader ? Array(rows.dropFirst()) : rows
  }

  /// Returns the lines that are neither blank nor comments. Lines may end in LF, CR LF or CR.
  static func lines(of text: String) -> [(number: Int, text: Substring)] {
    var number = 0
    return text.split(omittingEmptySubsequences: false) { $0.isNewline }.compactMap { line in
      number += 1
      let isBlank = line.allSatisfy(\.isWhitespace)
      return isBlank || line.first == "#" ? nil : (number, line)
    }
  }

  private static func guess(_ line: Substring) -> Separator {
    line.contains(",")
      ? .comma : line.contains(";") ? .semicolon : line.contains("\t") ? .tab : .space
  }

  private static func fields(_ line: Substring, _ separator: Separator) -> [String] {
    switch separator {
    case .space: line.split { $0 == " " || $0 == "\t" }.map(String.init)
    case .comma: split(line, at: ",")
    case .semicolon: split(line, at: ";")
    case .tab: split(line, at: "\t")
    case .bar: split(line, at: "|")
    }
  }

  /// Splits a line; fields in quotes may hold separators, and two quotes for one.
  private static func split(_ line: Substring, at separator: Character) -> [String] {
    if line.contains("\""),
      let row = try? CSV<Enumerated>(string: String(line), delimiter: .character(separator))
    {
      return row.header
    }
    return line.split(separator: separator, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

extension DelimitedText {
  /// Returns an error about one row.
  package func error(_ row: Row, _ problem: String) -> Refusal {
    Refusal(path, line: row.line, problem)
  }

  func field(_ row: Row, _ column: Int) throws -> String {
    guard row.fields.indices.contains(column) else {
      throw error(row, "has \(row.fields.count) columns; it needs at least \(column + 1)")
    }
    return row.fields[column]
  }

  package func number(_ row: Row, _ column: Int) throws -> Double {
    let text = try field(row, column)
    guard let value = Double(text), value.isFinite else {
      throw error(row, "column \(column + 1) is '\(text)'; write a number")
    }
    return value
  }

  /// Returns the number in a column; `nil` if the row ends before it, or if the field is empty.
  func optionalNumber(_ row: Row, _ column: Int?) throws -> Double? {
    guard let column, row.fields.indices.contains(column), !row.fields[column].isEmpty else {
      return nil
    }
    return try number(row, column)
  }

  /// Returns columns 1 and 2 as a start and an end.
  func span(_ row: Row) throws -> (Double, Double) {
    let (onset, offset) = (try number(row, 0), try number(row, 1))
    guard offset >= onset else {
      throw error(row, "ends at \(offset), before its start at \(onset); correct its times")
    }
    return (onset, offset)
  }

  /// Refuses a header, for formats without one.
  func expectNoHeader() throws {
    if let header { throw error(header, "column 1 is '\(header.fields[0])'; write a number") }
  }

  /// Returns the index of a column of the header; `nil` if there is none.
  func column(_ name: String) -> Int? { header?.fields.firstIndex(of: name) }

  /// Returns the index of a column that the header must have; case doesn't matter.
  func named(_ name: String) throws -> Int {
    guard let place = header?.fields.firstIndex(where: { $0.lowercased() == name }) else {
      throw Refusal(path, line: 1, "has no column '\(name)'; name one so")
    }
    return place
  }

  /// Refuses a header that does not begin with these columns.
  func expectHeader(_ columns: String...) throws {
    guard let header, header.fields.starts(with: columns) else {
      throw Refusal(path, line: 1, "the columns must be \(columns.joined(separator: ","))")
    }
  }
}

/// Reads lyrics: a plain text, or one line of a list.
enum Transcript {
  /// Returns the whole text on one line.
  static func plain(_ text: AnnotationText) throws -> String {
    let words = text.content.split { $0.isWhitespace }.joined(separator: " ")
    guard !words.isEmpty else {
      throw Refusal(text.path, "has no words; write the lyrics or remove the file")
    }
    return words
  }

  /// Returns the words of the line `id WORDS…` of a list.
  static func entry(_ id: String, in text: AnnotationText) throws -> String {
    for (_, line) in DelimitedText.lines(of: text.content) {
      let words = line.split { $0.isWhitespace }
      if words.first == id[...] { return words.dropFirst().joined(separator: " ") }
    }
    throw Refusal(text.path, "has no line for '\(id)'; add one")
  }
}
