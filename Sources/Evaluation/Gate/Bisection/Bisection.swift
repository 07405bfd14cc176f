import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// Finds the commit that made a figure of a gate worse.
///
/// The good and the bad commit are measured whole, also under inaudible changes of the input. The
/// figure that heads the gravest cause is followed: a binary search builds one commit after the other
/// and measures as few cells as a sequential test needs, beginning with the most telling recording.
/// Builds and measurements are kept like those of `GateAgainst`. The user's working tree is never
/// touched.
public struct Bisection: Sendable {
  private let gate: Gate
  private let run: GateRun
  private let reference: GateReference
  private let builds: RevisionBuilds
  private let good: Commit
  private let bad: Commit
  private let commits: [Commit]

  /// - Parameters:
  ///   - good: the good revision, whose subject is found by `reference`.
  ///   - builds: folder of builds; by default the user's cache.
  public init(_ good: GateReference, bad name: String, run: GateRun, builds: URL? = nil) throws {
    (reference, gate, self.good) = (good, good.gate, good.commit)
    self.run = try run.keepingSounds()
    bad = try good.repository.commit(name)
    guard bad.id != self.good.id else {
      throw Refusal(
        "--good and --bad are both \(bad.words); choose two commits, the good one first")
    }
    commits = try good.repository.commits(after: self.good, upTo: bad)
    self.builds = try RevisionBuilds(
      of: good.repository, in: builds ?? RevisionBuilds.defaultFolder)
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - figure: id of a metric, or a figure as the gate prints it; by default the figure that heads
  ///     the gate's first cause.
  ///   - say: called before each step.
  public func result(
    figure: String? = nil, stop: StopSignal = StopSignal(),
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> BisectionResult {
    let bench = RevisionBench(run: run, stop: stop)
    var built = 0
    func side(of commit: Commit) throws -> RevisionSide {
      let side = try reference.side(
        of: run, at: commit, builds: builds, isCancelled: { stop.isRaised }, report: say)
      if !side.wasBuilt { built += 1 }
      return side
    }
    let sides = (good: try side(of: good), bad: try side(of: bad))
    say("measuring \(good.words)")
    let before = try await bench.takes(of: sides.good)
    say("measuring \(bad.words)")
    let after = try await bench.takes(of: sides.bad)
    let comparison = try RunComparison(baseline: before, candidate: after, gate.settings())
    let causes = CauseGroup.all(of: comparison.differences.filter { $0.verdict == .regression })
    let criterion = try BisectionCriterion(
      of: comparison, causes, good: before, bad: after, figure: figure, (good.words, bad.words))

    var search = CommitSearch(count: commits.count)
    var trials: [Int: BisectionResult.Trial] = [:]
    var known = [sides.good.store: false, sides.bad.store: true]
    var tested = [-1: sides.good, commits.count - 1: sides.bad]
    while let number = search.next {
      let commit = commits[number]
      do {
        let side = try side(of: commit)
        if known[side.store] == nil { say("testing \(commit.words)") }
        let trial = try await CommitTrial(bench, criterion)
          .result(of: side, known: known[side.store])
        search.note(number, isBad: trial.verdict == .bad)
        (known[side.store], tested[number]) = (trial.verdict == .bad, side)
        trials[number] = trial
      } catch {
        if stop.isRaised { throw error }
        search.skip(number)
        trials[number] = .init(
          commit: commit, verdict: .skipped, remark: "\(error)", cells: 0, value: nil)
      }
    }
    let place = criterion.cells[0].address
    let last = (good: tested[search.good]!, bad: tested[search.bad]!)
    func value(of side: RevisionSide) async throws -> Double? {
      guard criterion.figure != nil else { return nil }
      return try await bench.cells(of: side, at: place).first.flatMap(criterion.observation)
    }
    let values = (try await value(of: last.good), try await value(of: last.bad))
    return BisectionResult(
      plan: run.plan.name, good: good, bad: bad, suspects: Array(commits[search.suspects]),
      figure: criterion.figure, cause: causes.first { $0.head == criterion.figure },
      otherCauses: causes.filter { $0.head != criterion.figure },
      unit: criterion.figure.flatMap { Metric.metric(id: $0.figure.metric)?.unit } ?? "",
      recording: place.recording, condition: place.condition, before: values.0, after: values.1,
      sounds: try sounds(at: place, last.good, last.bad), commits: commits.count,
      builds: built, trials: trials.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Returns where the sounds of two commits differ most; `nil` if one has no sound.
  private func sounds(
    at place: CellAddress, _ good: RevisionSide, _ bad: RevisionSide
  ) throws -> DifferingInstants? {
    let found = try [good, bad].map { side -> (file: URL, voices: Int)? in
      let store = try ResultStore(side.store)
      let name = side.program == nil ? side.plan.name : run.plan.name
      return try store.run(named: name).comparedCells(ignoring: [SettingSummary.subjectAxis])
        .first { $0.address == place }.flatMap { cell in
          store.soundFile(of: cell.key).map { ($0, cell.voices) }
        }
    }
    guard let (old, voices) = found[0], let (new, _) = found[1],
      let instants = DifferingInstants.instants(of: new, against: old, voices: voices)
    else { return nil }
    return DifferingInstants(
      recording: place.recording, condition: place.condition, baselineFile: old.path,
      candidateFile: new.path, instants: instants)
  }
}

/// A binary search for the first bad commit, around commits that can't be tested.
///
/// The commits are numbered from the oldest after the good one; the last one is bad.
struct CommitSearch {
  /// Number of the newest commit known as good; −1 is the good one that the search began with.
  private(set) var good = -1
  /// Number of the oldest commit known as bad.
  private(set) var bad: Int
  private var skipped: Set<Int> = []

  /// - Parameter count: number of commits, at least 1.
  init(count: Int) { bad = count - 1 }

  /// The commit to test next, nearest to the middle; `nil` when no more can be told.
  var next: Int? {
    let open = (good + 1..<bad).filter { !skipped.contains($0) }
    let middle = Double(good + bad) / 2
    return open.min { abs(Double($0) - middle) < abs(Double($1) - middle) }
  }

  mutating func note(_ commit: Int, isBad: Bool) {
    if isBad { bad = commit } else { good = commit }
  }

  mutating func skip(_ commit: Int) { skipped.insert(commit) }

  /// The commits one of which is the first bad one; a single one unless some were skipped.
  var suspects: ClosedRange<Int> { good + 1...bad }
}

extension Refusal {
  static func nothingWorse(good: String, bad: String, figure: String?, worse: [String]) -> Refusal {
    guard let figure else {
      return Refusal(
        "no figure of the gate regressed from \(good) to \(bad), so there is no commit to name; choose "
          + "other commits"
          + (worse.isEmpty
            ? "" : ", or a figure that got a little worse: --figure \(worse[0])"))
    }
    return Refusal(
      "'\(figure)' is not worse at \(bad) than at \(good); choose "
        + (worse.isEmpty
          ? "other commits: no figure of the gate is"
          : "another figure: \(worse.prefix(8).joined(separator: ", "))"))
  }
}
