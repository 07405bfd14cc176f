import Foundation
import Platform

/// Figures over commits: a text file with one record a line in a fixed order.
///
/// Two branches that add commits merge by keeping the lines of both (`merge=union` in
/// .gitattributes), and two machines that measure the same commit keep a line each. The order of lines
/// and lines that are there twice do not matter.
public struct History: Equatable, Sendable {
  /// Records in order of date, commit and figure.
  public private(set) var records: [HistoryRecord]

  static let title = "# choir-eval.history/1"
  static let columns = [
    "date", "commit", "plan", "metric", "voice", "score", "settings", "value", "n", "version",
    "machine",
  ]
  private static let none = AcceptedFile.none

  public init(_ records: [HistoryRecord] = []) {
    self.records = []
    add(records)
  }

  /// Adds records; a later record of the same place replaces an earlier one.
  public mutating func add(_ new: [HistoryRecord]) {
    var byPlace: [HistoryRecord.Place: HistoryRecord] = [:]
    for record in records + new { byPlace[record.place] = record }
    records = byPlace.values.sorted(by: HistoryRecord.isBefore)
  }

  /// Number of commits.
  public var commits: Int { Set(records.map(\.commit)).count }

  // MARK: The file

  /// Reads a file; one that does not exist yet is empty.
  public init(reading url: URL) throws(Refusal) {
    guard FileManager.default.fileExists(atPath: url.path) else {
      self.init()
      return
    }
    func fail(_ line: Int?, _ problem: String) -> Refusal {
      Refusal("\(url.relativePath)\(line.map { ":\($0)" } ?? ""): \(problem)")
    }
    guard let text = try? GivenFile.text(at: url) else {
      throw fail(nil, "can't be read; check that it is a text file and that you may read it")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard text.isEmpty || lines.contains(Substring(Self.title)) else {
      throw fail(
        1, "does not begin with '\(Self.title)'; name a file that choir-eval history add wrote")
    }
    var read: [HistoryRecord] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      if ["<<<<<<<", "=======", ">>>>>>>"].contains(where: line.hasPrefix) {
        throw fail(
          index + 1,
          "has a conflict of a merge; delete the three marker lines and keep the lines of both, or "
            + "let git do it: echo '\(url.lastPathComponent) merge=union' >> .gitattributes")
      }
      let words = line.components(separatedBy: "\t")
      if words == Self.columns { continue }
      guard let record = Self.record(words) else {
        throw fail(
          index + 1,
          "does not have the columns \(Self.columns.joined(separator: ", ")); restore "
            + "the line: git checkout \(url.lastPathComponent)")
      }
      read.append(record)
    }
    self.init(read)
  }

  /// Adds records to a file, which is written completely or not at all. Processes that add to it at once
  /// wait for each other.
  ///
  /// - Returns: the history with the records.
  public static func add(_ records: [HistoryRecord], to url: URL) throws -> History {
    let (parent, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
    let draft = try Draft(name, in: parent, of: parent)
    defer { draft.discard() }
    var history = History()
    try draft.publish {
      history = try History(reading: url)
      history.add(records)
      try Data(history.text.utf8).write(to: draft.folder.appendingPathComponent(name))
      return [Draft.Move(from: name, to: name)]
    }
    return history
  }

  var text: String {
    ([Self.title, Self.columns.joined(separator: "\t")] + records.map(Self.line))
      .joined(separator: "\n") + "\n"
  }

  private static func line(_ record: HistoryRecord) -> String {
    let key = record.key
    return [
      record.date, record.commit, record.plan, key.figure.metric, key.figure.voice ?? "",
      key.score, key.configuration, "\(record.value)", "\(record.count)", "\(record.version)",
      record.machine,
    ].map { $0.isEmpty ? none : $0.oneLine }.joined(separator: "\t")
  }

  private static func record(_ words: [String]) -> HistoryRecord? {
    guard words.count == columns.count, let value = Double(words[7]), value.isFinite,
      let count = Int(words[8]), let version = Int(words[9]),
      let date = try? Date(words[0], strategy: .iso8601)
    else { return nil }
    func text(_ column: Int) -> String { words[column] == none ? "" : words[column] }
    return HistoryRecord(
      commit: text(1), date: date.ISO8601Format(), plan: text(2),
      key: FigureKey(
        FigureID(text(3), voice: words[4] == none ? nil : words[4]), score: text(5),
        configuration: text(6)),
      value: value, count: count, version: version, machine: text(10))
  }
}
