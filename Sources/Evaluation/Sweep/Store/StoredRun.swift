import Corpus
import Foundation
import Metrics
import Subjects

/// A stored run.
public struct StoredRun: Sendable {
  public var plan: Plan
  public var startedAt: String
  /// `nil` if the run is in progress or was interrupted.
  public var finishedAt: String?
  /// The stored cells in the order of the plan.
  public var cells: [CellResult]
  public var plannedCells: Int
  /// The commit that was measured; `nil` outside of a repository, or if merged runs differ in it.
  public var source: RunSource?

  /// Returns the reasons for missing values: first those that indicate trouble, then those by
  /// nature of the recording or score, each group with the most frequent first. It leaves out that
  /// probes have no voice and voices no impulses.
  public func undefinedCounts() -> [UndefinedCount] {
    var counter = UndefinedCounter()
    for cell in cells {
      guard case .measured(let measurements) = cell.outcome else { continue }
      measurements.forAll { metric, result in
        guard case .undefined(let reason) = result.outcome else { return }
        counter.note(metric, reason, isProbe: cell.isProbe)
      }
    }
    return counter.counts
  }

  /// True if cells ran and none has a value of what their metrics hear: costs and the stated latency
  /// alone say nothing about the sound.
  public var heardNothing: Bool {
    let unheard = Set(MetricFamily.all.filter { $0.id == "cost" }.flatMap(\.metrics).map(\.id))
      .union(["latency.reported"])
    let asked = cells.flatMap { cell in
      cell.measurements.filter { !unheard.contains($0.key) }.values.joined()
    }
    return !asked.isEmpty && asked.allSatisfy { $0.outcome.number == nil }
  }

  /// Cells that failed, now or at an earlier attempt, with their reasons.
  public var failures: [(recording: String, settings: String, reason: String)] {
    cells.compactMap { cell in
      cell.failure.map { (cell.recording, cell.settings.canonical, $0) }
    }
  }
}

/// The commit from which a run was measured.
public struct RunSource: Codable, Equatable, Sendable {
  /// The full hash of the commit that was checked out when the run began.
  public var commit: String
  /// Tracked files that differed from it.
  public var changedFiles: [String]

  /// Looks into the repository of an external subject's file, or of the working folder for subjects of
  /// this package.
  ///
  /// - Returns: `nil` outside of a repository.
  static func now(of subjects: some Sequence<any Subject>) -> RunSource? {
    let folder =
      subjects.lazy.compactMap { $0.external?.folder }.first
      ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    guard let repository = try? GitRepository(containing: folder),
      let commit = try? repository.commit("HEAD"), let changed = try? repository.changedFiles()
    else { return nil }
    return RunSource(commit: commit.id, changedFiles: changed)
  }
}
