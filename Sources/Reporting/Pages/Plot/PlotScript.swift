import CPlot

/// A gnuplot script under construction: commands and their data, in one file that a user can edit and
/// run again.
///
/// The file stays if the script is not finished, so that a failure can be examined.
struct PlotScript: ~Copyable {
  let path: String
  private var handle: OpaquePointer?  // nil once closed

  /// Creates the file at `path`, or empties it.
  init(path: String) throws(PlotError) {
    guard let handle = cplot_open(path) else { throw .cannotWrite(path) }
    self.path = path
    self.handle = handle
  }

  deinit { if let handle { _ = cplot_close(handle) } }

  /// Appends one or more lines of gnuplot commands.
  mutating func write(_ commands: String) throws(PlotError) {
    guard let handle, cplot_script(handle, commands + "\n") else { throw .cannotWrite(path) }
  }

  /// Appends `rows`, all of one length, as the data block `$name`. A NaN interrupts a line.
  mutating func write(_ rows: [[Double]], named name: String) throws(PlotError) {
    let columns = rows.first?.count ?? 0
    precondition(rows.allSatisfy { $0.count == columns }, "rows of \(name) differ in length")
    try write("$\(name) << e")
    guard let handle, cplot_rows(handle, rows.flatMap(\.self), rows.count, columns) else {
      throw .cannotWrite(path)
    }
  }

  /// Closes the file; an error here means a full disk.
  consuming func finish() throws(PlotError) {
    guard let handle = handle.take(), cplot_close(handle) else { throw .cannotWrite(path) }
  }
}
