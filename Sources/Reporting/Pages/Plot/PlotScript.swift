import CPlot
import Platform

/// A gnuplot script under construction: commands and their data, in one file that a user can edit and
/// run again.
///
/// The file stays if the script is not finished, so that a failure can be examined.
struct PlotScript: ~Copyable {
  let path: String
  private var handle: OpaquePointer?  // nil once closed

  /// Creates the file at `path`, or empties it.
  init(path: String) throws(Refusal) {
    guard let handle = cplot_open(path) else { throw Refusal.cannotWrite(path) }
    self.path = path
    self.handle = handle
  }

  deinit { if let handle { _ = cplot_close(handle) } }

  /// Appends one or more lines of gnuplot commands.
  mutating func write(_ commands: String) throws(Refusal) {
    guard let handle, cplot_script(handle, commands + "\n") else { throw Refusal.cannotWrite(path) }
  }

  /// Appends `rows`, all of one length, as the data block `$name`. A NaN interrupts a line.
  mutating func write(_ rows: [[Double]], named name: String) throws(Refusal) {
    let columns = rows.first?.count ?? 0
    precondition(rows.allSatisfy { $0.count == columns }, "rows of \(name) differ in length")
    try write("$\(name) << e")
    guard let handle, cplot_rows(handle, rows.flatMap(\.self), rows.count, columns) else {
      throw Refusal.cannotWrite(path)
    }
  }

  /// Closes the file; an error here means a full disk.
  consuming func finish() throws(Refusal) {
    guard let handle = handle.take(), cplot_close(handle) else { throw Refusal.cannotWrite(path) }
  }
}
