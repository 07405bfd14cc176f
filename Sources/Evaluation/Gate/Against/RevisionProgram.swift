import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// Another build of choir-eval that measures a plan in a process of its own.
struct RevisionProgram {
  let path: URL
  let commit: String

  /// Runs a plan into a store, unless all its cells are there.
  ///
  /// - Parameters:
  ///   - plan: the plan of both sides; a file of it is written for the program.
  ///   - perturbation: inaudible change of every input.
  /// - Returns: the run, of which cells may have failed.
  func run(
    _ plan: Plan, corpus: URL, store: URL, jobs: Int, under perturbation: Perturbation? = nil,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> StoredRun {
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    // JSON is YAML.
    try JSONEncoder.canonical.encode(plan).write(to: scratch.file("plan.yaml"))
    var words = [
      "run", scratch.file("plan.yaml").path, "--corpus", corpus.absoluteURL.path,
      "--store", store.path, "--jobs", "\(jobs)",
    ]
    if let perturbation { words += [Self.perturbationOption, "\(perturbation.number)"] }
    do { _ = try output(of: words, isCancelled: isCancelled) } catch {
      // If cells fail, it exits with 2 although it has measured all others.
      guard !isCancelled(), FileManager.default.fileExists(atPath: store.path),
        let run = try? ResultStore(reading: store).run(named: plan.name), run.plan == plan,
        run.cells.count == run.plannedCells
      else { throw error }
      return run
    }
    return try ResultStore(reading: store).run(named: plan.name)
  }

  /// Hidden option of `run` with the number of a perturbation.
  private static let perturbationOption = "--perturbation"

  /// True if the program can change its inputs inaudibly.
  var knowsPerturbations: Bool {
    let help = try? output(of: ["run", "--help-hidden"], isCancelled: nil)
    return help?.contains(Self.perturbationOption) ?? false
  }

  /// Refuses a program whose judges are set otherwise, or whose metrics have other versions, than those of
  /// this one. A program that does not list its judges' settings is known by its metrics only.
  func refuseOtherMetrics(than metrics: [String]) throws {
    struct List: Decodable {
      struct Entry: Decodable {
        var id: String
        var version: Int
      }
      var metrics: [Entry]
      var judges: String?
    }
    let text = try output(of: ["metrics", "list", "--json"], isCancelled: nil)
    guard let list = try? JSONDecoder().decode(List.self, from: Data(text.utf8)) else {
      throw Refusal.program(path: path.path, commit: commit, reason: "it does not list its metrics")
    }
    if let judges = list.judges, judges != Baseline.Provenance.judgesNow {
      throw Refusal(
        "choir-eval of the revision \(commit) has its judges set otherwise, so the two sides can't be "
          + "compared; choose a later revision")
    }
    let then = list.metrics.keyed(by: \.id)
    let changed = metrics.filter { id in
      then[id].map { $0.version != Metric.metric(id: id)?.version } ?? false
    }
    guard changed.isEmpty else {
      throw Refusal(
        "choir-eval of the revision \(commit) measures "
          + changed.prefix(5).joined(separator: ", ")
          + (changed.count > 5 ? " and \(changed.count - 5) more" : "")
          + " by another version, so the two sides can't be compared; choose a later revision, or "
          + "choose other 'metrics' in the gate")
    }
  }

  func output(of words: [String], isCancelled: (@Sendable () -> Bool)?) throws -> String {
    var child = ChildProcess(
      arguments: [path.path] + words, timeoutSeconds: 86_400, memoryMB: 0, fileMB: 0,
      folder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
      environment: ChildEnvironment.ofThisProcess, outputBytes: 4_000_000)
    child.isCancelled = isCancelled
    do { return try child.run().text } catch {
      throw Refusal.program(path: path.path, commit: commit, reason: "\(error)")
    }
  }
}
