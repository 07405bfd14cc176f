import ArgumentParser
import Evaluation
import Foundation

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put the results of several stores, such as shards of a run, into one.",
    discussion: """
      The rows are those that one run would have given, but for times. A store that can't be merged
      leaves the target as it was. Cells that two stores have with different numbers are named: a
      subject that is not deterministic, or one that changed without another version.
      """)

  @Argument(help: "SQLite files of results.", completion: .store) var stores: [String]
  @Option(help: "SQLite file that takes them all in; made if it isn't there.", completion: .store)
  var into: String
  @Flag(help: "Print what was done as JSON.") var json = false

  func run() throws {
    // None is touched before all are known to be there.
    for store in stores where !FileManager.default.fileExists(atPath: store) {
      throw EvaluationError.merge(path: store, problem: "no such store; is the path right?")
    }
    let target = try ResultStore(URL(fileURLWithPath: into))
    var sum = MergeOutcome()
    for store in stores {
      sum += try target.merge(URL(fileURLWithPath: store))
    }
    if json {
      struct Output: Encodable {
        var schema = "choir-eval.merge/1"
        var into: String
        var cells, shared, sounds: Int
        var different: [String]
      }
      print(
        try JSON.text(
          Output(
            into: into, cells: sum.cells, shared: sum.shared, sounds: sum.sounds,
            different: sum.different)))
    } else {
      print("\(into): \(sum.cells) cells taken in, \(sum.shared) were there")
    }
    guard sum.different.isEmpty else {
      Terminal.printError(
        "\(sum.different.count) cells have other numbers in two stores, the first "
          + "\(sum.different[0].prefix(16)): a subject is not deterministic or changed its sound "
          + "without changing its version; the numbers that were there first stay")
      throw ExitCode(1)
    }
  }
}
