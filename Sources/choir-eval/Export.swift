import ArgumentParser
import Evaluation
import Foundation

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every number of a run as comma-separated values.",
    discussion: """
      One record a measurement, or a cell that failed, with a column for each setting; for pandas, R or
      a spreadsheet. The store itself is SQLite, with the same rows in its view 'result':
      docs/architecture.md.

        choir-eval export demo --csv demo.csv
        choir-eval export | head
      """)

  @Argument(help: "Name of a run; the last one unless given.") var name: String?
  @OptionGroup var places: Places
  @Option(help: "File to write; - is standard output.") var csv = "-"

  func run() throws {
    let store = try ResultStore(reading: places.storeFile)
    if csv == "-" {
      return try store.exportCSV(ofRun: name) { FileHandle.standardOutput.write(Data($0.utf8)) }
    }
    // Whole or not at all.
    let file = URL(fileURLWithPath: csv)
    let part = file.appendingPathExtension("part-\(ProcessInfo.processInfo.processIdentifier)")
    guard FileManager.default.createFile(atPath: part.path, contents: nil) else {
      throw ValidationError("--csv: \(csv) can't be written; is the folder there?")
    }
    do {
      let handle = try FileHandle(forWritingTo: part)
      try store.exportCSV(ofRun: name) { try handle.write(contentsOf: Data($0.utf8)) }
      try handle.close()
      guard rename(part.path, file.path) == 0 else {
        throw ValidationError("--csv: \(csv) can't be written: \(String(cString: strerror(errno)))")
      }
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }
}
