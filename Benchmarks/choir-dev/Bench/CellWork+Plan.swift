import Corpus
import Foundation
import Subjects
import Sweep

extension CellWork {
  /// Returns a plan, the corpus of this folder and the work of the plan's cells.
  static func reading(_ path: String) throws -> (plan: Plan, corpus: Corpus, work: CellWork) {
    let corpus = try Corpus(folder: URL(fileURLWithPath: "Corpus"))
    let plan = try Plan(reading: URL(fileURLWithPath: path)).resolved(in: corpus)
    let subjects = try plan.subjects(in: corpus).map { ($0.id, $0) }
    let work = CellWork(
      corpus: corpus, subjects: Dictionary(subjects) { first, _ in first },
      sounds: RenderedAudioStore(folder: FileManager.default.temporaryDirectory))
    return (plan, corpus, work)
  }
}
