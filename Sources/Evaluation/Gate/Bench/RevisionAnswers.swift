import Corpus
import Foundation
import Platform
import Subjects

extension GateAgainst {
  /// Puts the subject of both sides on the bench.
  ///
  /// - Returns: `nil` if the revision's own choir-eval knows no such bench.
  public func benches(
    of measured: Measured
  ) throws -> (candidate: GateBench, reference: GateBench)? {
    let candidate = try run.bench(ignoringSubject: true)
    if let program = measured.side.ownProgram {
      var reference = GateBench()
      for (subject, settings) in try run.benchSettings() {
        guard let answers = program.bench(subject.id, settings, corpus: run.corpus.folder) else {
          return nil
        }
        reference.add(answers, of: settings.canonical)
      }
      return (candidate, reference)
    }
    var side = run
    side.plan = measured.side.plan
    return (candidate, try side.bench(ignoringSubject: true))
  }
}

extension RevisionProgram {
  /// The output of `probe --json`, as far as the bench needs it.
  private struct Probed: Decodable {
    var findings: [ProbeFinding]
  }

  /// Returns the answers of a subject of the program; `nil` if it has no such probe.
  fileprivate func bench(
    _ subject: String, _ settings: SubjectSettings, corpus: URL
  ) -> [ProbeFinding]? {
    let words =
      ["probe", subject, "--only", "robustness", "--json"] + settings.asOptions()
      + ["--corpus", corpus.absoluteURL.path]
    guard let text = try? output(of: words, isCancelled: nil) else { return nil }
    return try? JSONDecoder().decode(Probed.self, from: Data(text.utf8)).findings
  }
}
