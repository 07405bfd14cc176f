import ArgumentParser
import AudioFile
import Foundation
import Platform
import Synchronization

/// Progress, warnings and errors on standard error.
package enum Terminal {
  package static func printError(_ text: String) {
    write("\(ProcessInfo.processInfo.processName): \(text.printable)\n")
  }

  /// True with `--quiet`: shows no progress.
  static let isQuiet = Atomic(false)

  /// Warns of events in a score or MIDI file that voices can't sing; one line for all of them, so that
  /// a file with many kinds stays readable.
  package static func warnNotSung(_ events: [String], in file: String) {
    guard !events.isEmpty else { return }
    printError("warning: \(file): not sung: " + events.joined(separator: "; "))
  }

  /// Warns of deviations of a sound file from its format.
  package static func warn(_ remarks: [String], about file: String) {
    for remark in remarks { printError("warning: \(file): \(remark)") }
  }

  /// Shows the name of the step that begins.
  package static func stage(_ text: String) { progress("\(text.printable)…\n") }

  /// Shows text that only matters during the wait.
  package static func progress(_ text: String) {
    if !isQuiet.load(ordering: .relaxed) { write(text) }
  }

  /// Writes to standard error and ignores failures, so that the work goes on without a reader.
  package static func write(_ text: String) {
    _ = Data(text.utf8).withUnsafeBytes { DescriptorWriting.write($0, to: STDERR_FILENO) }
  }

  /// True if standard error is a terminal that can redraw a line.
  package static let isInteractive =
    isatty(STDERR_FILENO) == 1
    && ProcessInfo.processInfo.environment["TERM"] != "dumb"
}

/// The flag that switches progress off.
package struct Quietness: ParsableArguments {
  @Flag(help: "Show no progress; warnings and errors remain.") package var quiet = false

  package init() {}

  package func validate() { if quiet { Terminal.isQuiet.store(true, ordering: .relaxed) } }
}

/// A bar that redraws itself on a terminal, and plain lines elsewhere.
package struct ProgressBar {
  private let total: Int
  private var done = 0
  private let started = Date()
  private var lastLine = Date.distantPast

  package init(total: Int) { self.total = total }

  /// Completed share of the items in progress, summed.
  private var underWay = 0.0

  /// Shows the progress of unfinished items.
  package mutating func show(underWay: Double, _ label: String) {
    self.underWay = underWay
    show(label)
  }

  /// Shows the label of an item that starts.
  package mutating func begin(_ label: String) { if Terminal.isInteractive { show(label) } }

  package mutating func advance(to label: String, count: Int = 1) {
    done += count
    show(label)
  }

  private mutating func show(_ label: String) {
    let label = label.printable
    let elapsed = Date().timeIntervalSince(started)
    let far = min(Double(done) + underWay, Double(total))
    let left = far == 0 ? nil : elapsed / far * (Double(total) - far)
    let share = far / Double(max(1, total))
    let text =
      "\(done)/\(total)  \(Int(share * 100)) %  " + (left.map { "\(Self.clock($0)) left" } ?? "")
    if Terminal.isInteractive {
      let filled = Int(share * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      let line = "\(bar) \(text)  \(label)"
      Terminal.progress("\r\u{1B}[K" + String(line.prefix(Self.width - 1)))
      if done == total { Terminal.progress("\r\u{1B}[K") }
    } else if done == total || Date().timeIntervalSince(lastLine) > 5 {
      lastLine = Date()
      Terminal.progress("\(text)  \(label)\n")
    }
  }

  /// Clears the line for a result; the next advance draws the bar again.
  package func clear() { if Terminal.isInteractive { Terminal.progress("\r\u{1B}[K") } }

  private static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20
      ? Int(size.ws_col) : 100
  }

  package static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}

/// An aligned table: text to the left, numbers to the right.
package struct TextTable {
  package var header: [String]
  package var rows: [[String]] = []
  /// Columns of text that may begin with a number.
  package var textColumns: Set<Int> = []

  package init(header: [String], rows: [[String]] = []) {
    self.header = header
    self.rows = rows
  }

  /// Makes a row of each value.
  package init<Value>(header: [String], of values: some Sequence<Value>, row: (Value) -> [String]) {
    self.init(header: header, rows: values.map(row))
  }

  package func text() -> String {
    let lines = [header] + rows
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let numeric = header.indices.map(isNumeric)
    func line(_ cells: [String], _ isHeader: Bool) -> String {
      cells.enumerated().map { column, cell in
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 || !numeric[column] ? cell + gap : gap + cell
      }.joined(separator: "  ").trimmingTrailingSpaces
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return ([line(header, true), rule] + rows.map { line($0, false) }).joined(separator: "\n")
  }

  private func isNumeric(_ column: Int) -> Bool {
    guard !textColumns.contains(column) else { return false }
    let filled = rows.map { $0[column] }.filter { !$0.isEmpty && $0 != "–" }
    let numbers = filled.count { $0.first!.isNumber || "+-−[".contains($0.first!) }
    // A column of words may have some that begin with a figure, one of numbers some without a value.
    return 2 * numbers > filled.count || filled.isEmpty
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// Formats a number with this many decimal places; `nil` is a dash.
package func format(_ value: Double?, _ places: Int) -> String {
  value.map { fixed($0, places) } ?? "–"
}

/// Colour on a terminal, plain text elsewhere; never the only signal.
package struct ANSIStyle {
  package enum Colour: Int {
    case green = 32
    case red = 31
    case yellow = 33
    case blue = 34
    case faint = 2
  }

  private let isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  /// - Parameter file: descriptor that the text is written to, such as `STDOUT_FILENO`.
  /// - Source: no-color.org: a NO_COLOR that is set and not empty switches colour off.
  package init(file: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
    isOn = isatty(file) == 1 && environment["TERM"] != "dumb" && environment["NO_COLOR"] ?? "" == ""
  }

  package func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension AudioFile {
  /// Decodes a file that the user named, and warns of its deviations from its format.
  package init(named path: String) throws(AudioFileError) {
    try self.init(reading: path)
    Terminal.warn(remarks, about: path)
  }
}
