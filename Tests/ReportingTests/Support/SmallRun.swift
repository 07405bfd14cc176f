import Corpus
import EvaluationSupport
import Foundation
import Metrics
import Sweep
import TestSupport

/// A synthetic vowel and the impulse probe under four settings, from plan to store.
struct SmallRun {
  let folder: TemporaryFolder
  let corpus: Corpus
  let store: ResultStore
  let run: StoredRun

  init(listening: Bool = false) async throws {
    folder = try await SharedFolder.copy(listening ? "small run, to listen to" : "small run") {
      try await Self.measure(in: $0, listening: listening)
    }
    corpus = try Corpus(folder: folder.file("Corpus"))
    store = try ResultStore(folder.file("results.sqlite"))
    run = try store.run()
  }

  private static func measure(in folder: TemporaryFolder, listening: Bool) async throws {
    try folder.write(
      """
      id,file,source,sha256,licence,attribution,voice,kind,shows
      vowel,,synthetic:vowel-a-bass,,CC0-1.0,nobody,bass,sung,one vowel
      probe,,synthetic:impulses,,CC0-1.0,nobody,none,probe,impulses
      """, to: "Corpus/manifest.csv")
    let text = """
      name: small
      title: Two windows
      subject: reference
      recordings: [vowel, probe]
      scores:
        - id: third
          intervalsSemitones: [4]
      settings:
        engine: [delayline]
        windowMs: [10, 20]
        crossfadeMs: [2, 5]
      \(listening ? "listen: [vowel]" : "")
      """
    let plan = try Plan(reading: folder.write(text, to: "plan.yaml"))
    let store = try ResultStore(folder.file("results.sqlite"))
    _ = try await Sweep(plan, corpus: Corpus(folder: folder.file("Corpus")), store: store)
      .run(jobs: 2)
  }

  /// Returns the run with other measurements in its cells.
  func doctored(_ change: (CellResult, inout [String: [MetricResult]]) -> Void)
    -> StoredRun
  {
    var doctored = run
    doctored.cells = run.cells.map { cell in
      var (cell, measurements) = (cell, cell.measurements)
      change(cell, &measurements)
      cell.outcome = .measured(Measurements(measurements))
      return cell
    }
    return doctored
  }
}
