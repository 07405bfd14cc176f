import Corpus
import Foundation
import Metrics
import Sweep

/// A synthetic vowel and the impulse probe under four settings, from plan to store.
struct SmallRun {
  let folder: URL
  let corpus: Corpus
  let store: ResultStore
  let run: StoredRun

  init(listening: Bool = false) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    let corpusFolder = folder.appendingPathComponent("Corpus")
    try FileManager.default.createDirectory(at: corpusFolder, withIntermediateDirectories: true)
    try """
    id,file,source,sha256,licence,attribution,voice,kind,shows
    vowel,,synthetic:vowel-a-bass,,CC0-1.0,nobody,bass,sung,one vowel
    probe,,synthetic:impulses,,CC0-1.0,nobody,none,probe,impulses
    """.write(
      to: corpusFolder.appendingPathComponent("manifest.csv"), atomically: true, encoding: .utf8)
    let planFile = folder.appendingPathComponent("plan.yaml")
    try """
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
    """.write(to: planFile, atomically: true, encoding: .utf8)
    corpus = try Corpus(folder: corpusFolder)
    store = try ResultStore(folder.appendingPathComponent("results.sqlite"))
    _ = try await Sweep(Plan(reading: planFile), corpus: corpus, store: store).run(jobs: 2)
    run = try store.run()
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
