import Foundation
import TestSupport
import Testing

/// Commands that read a store, with corpus and store on a read-only mount.
@Suite struct ReadOnlyStoreTests {
  /// Returns the exit status and the text of a line in bash, in which `choir-eval` is the command
  /// and `fixed` a read-only copy of the folder; `nil` if this user may mount nothing.
  private func type(_ line: String, in bench: GateTests.Bench) throws -> (Int32, String)? {
    let script = """
      choir-eval() { '\(Built.choirEval.path)' "$@"; }
      mkdir -p fixed && mount -t tmpfs none fixed || exit 99
      cp -r Corpus store fixed && mount -o remount,ro fixed || exit 99
      \(line)
      """
    let (status, text) = try ToyRepository.run(
      "unshare", ["--mount", "--map-root-user", "bash", "-c", script], in: bench.folder)
    return status == 99 || text.contains("unshare failed") ? nil : (status, text)
  }

  private static let store = "--store fixed/store/tiny.sqlite"

  @Test(arguments: [
    "export \(store) --corpus fixed/Corpus", "compare tiny tiny \(store)",
    "report --format markdown \(store) --corpus fixed/Corpus",
    "report --output page \(store) --corpus fixed/Corpus",
    "merge fixed/store/tiny.sqlite --store all.sqlite",
  ])
  func aStoreIsRead(words: String) throws {
    let bench = try GateTests.Bench()
    let run = try bench.type("run", "Corpus/plans/tiny.yaml", "--store", "store/tiny.sqlite")
    #expect(run.status == 0, "\(run.errors)")
    guard let (status, text) = try type("choir-eval \(words)", in: bench) else { return }
    #expect(status == 0, "\(text)")
  }

  /// `tune` measures what is missing, so a store that lacks nothing need not be written.
  @Test func tuneReadsAWholeStoreAndRefusesAnother() throws {
    let bench = try GateTests.Bench()
    func plan(_ recordings: String) throws {
      try bench.write(
        """
        name: tiny
        title: Two sounds
        subject: mine.yaml
        recordings: \(recordings)
        scores: [{id: same, intervalsSemitones: [0]}]
        metrics: [cpu.realtime_factor]
        """, "Corpus/plans/tiny.yaml")
    }
    try plan("[a]")
    let run = try bench.type("run", "Corpus/plans/tiny.yaml", "--store", "store/tiny.sqlite")
    #expect(run.status == 0, "\(run.errors)")
    let line = "choir-eval tune Corpus/plans/tiny.yaml --axes cost \(Self.store)"
    guard let (status, text) = try type(line, in: bench) else { return }
    #expect(status == 0, "\(text)")
    let adaptive = try #require(try type("\(line) --adaptive", in: bench))
    #expect(adaptive.0 == 2 && adaptive.1.contains("--adaptive writes each round"), "\(adaptive.1)")
    try plan("[a, b]")
    let lacking = try #require(try type(line, in: bench))
    #expect(lacking.0 == 2 && lacking.1.contains("it lacks cells of the plan"), "\(lacking.1)")
  }

  @Test func writingIsRefusedWithAWayOut() throws {
    let bench = try GateTests.Bench()
    _ = try bench.type("run", "Corpus/plans/tiny.yaml", "--store", "store/tiny.sqlite")
    let line = "choir-eval run fixed/Corpus/plans/tiny.yaml \(Self.store)"
    guard let (status, text) = try type(line, in: bench) else { return }
    #expect(status == 2)
    #expect(text.contains("tiny.sqlite: is on a read-only disk; choose another --store"), "\(text)")
  }
}
