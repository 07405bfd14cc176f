import ArgumentParser
import CommandSupport
import Foundation
import Platform
import Sweep

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Export every number of a run as comma-separated values.",
    discussion: """
      Use it to analyze a run in pandas, R or a spreadsheet. Each row is a measurement or a failed \
      cell, with a column for each setting. The store itself is SQLite and has the same rows in its \
      view 'result' (docs/reference/commands.md#the-store).

        choir-eval export demo --output demo.csv
        choir-eval export | head
      """)

  @Argument(help: "Name of a run; default: the last one.") var name: String?
  @OptionGroup var places: StoreOptions
  @Option(help: "File to write; - is standard output.", completion: .csv)
  var output = "-"
  @OptionGroup var overwriting: Overwriting

  func run() throws {
    if output == "-" {
      let store = try ResultStore(reading: places.storeFile)
      return try store.exportCSV(ofRun: name) { try StandardOutput.write($0) }
    }
    var outputs = OutputFiles(reading: [places.store], force: overwriting.force)
    try outputs.claim(output)
    let store = try ResultStore(reading: places.storeFile)
    try WholeFile.write(to: output) { take in try store.exportCSV(ofRun: name, take: take) }
  }
}
