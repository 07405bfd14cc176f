import Corpus
import Files
import Foundation
import Metrics
import Programs
import Subjects
import Sweep

/// Another build of choir-eval that measures a plan in a process of its own.
struct RevisionProgram {
  let path: URL
  let commit: String

  /// Runs the gate's plan into a store, unless all its cells are there.
  ///
  /// - Parameters:
  ///   - plan: the plan's file, which the program reads itself.
  ///   - perturbation: inaudible change of every input.
  func run(
    _ plan: URL, subject: String, corpus: URL, store: URL, jobs: Int,
    under perturbation: Perturbation? = nil, isCancelled: (@Sendable () -> Bool)?
  ) throws {
    var words = [
      "run", plan.absoluteURL.path, "--subject", subject, "--corpus", corpus.absoluteURL.path,
      "--store", store.path, "--jobs", "\(jobs)",
    ]
    if let perturbation { words += [Self.perturbationOption, "\(perturbation.number)"] }
    _ = try output(of: words, isCancelled: isCancelled)
  }

  /// Hidden option of `run` with the number of a perturbation.
  private static let perturbationOption = "--perturbation"

  /// True if the program can change its inputs inaudibly.
  var knowsPerturbations: Bool {
    let help = try? output(of: ["run", "--help-hidden"], isCancelled: nil)
    return help?.contains(Self.perturbationOption) ?? false
  }

  /// Refuses a program whose metrics have other versions than those of this one.
  func refuseOtherMetrics(than metrics: [String]) throws {
    struct List: Decodable {
      struct Entry: Decodable {
        var id: String
        var version: Int
      }
      var metrics: [Entry]
    }
    let text = try output(of: ["metrics", "list", "--json"], isCancelled: nil)
    guard let list = try? JSONDecoder().decode(List.self, from: Data(text.utf8)) else {
      throw AgainstError.program(
        path: path.path, commit: commit, reason: "it does not list its metrics")
    }
    let then = Dictionary(list.metrics.map { ($0.id, $0.version) }) { first, _ in first }
    let changed = metrics.filter { id in
      then[id].map { $0 != Metric.metric(id: id)?.version } ?? false
    }
    guard changed.isEmpty else {
      throw AgainstError.otherMetrics(commit: commit, metrics: changed)
    }
  }

  func output(
    of words: [String], isCancelled: (@Sendable () -> Bool)?
  ) throws -> String {
    var child = ChildProcess(
      arguments: [path.path] + words, timeoutSeconds: 86_400, memoryMB: 0, fileMB: 0,
      folder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
      environment: ChildEnvironment.ofThisProcess, outputBytes: 4_000_000)
    child.isCancelled = isCancelled
    do { return try child.run().text } catch {
      throw AgainstError.program(path: path.path, commit: commit, reason: "\(error)")
    }
  }
}
