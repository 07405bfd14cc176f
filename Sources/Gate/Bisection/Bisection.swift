import AudioFile
import Corpus
import Files
import Foundation
import Metrics
import Revisions
import Sweep

/// Finds the commit that made a figure of a gate worse.
///
/// The good and the bad commit are measured whole. Then a binary search builds one commit after the
/// other and measures as few cells as a sequential test needs, beginning with the recording in which
/// the figure got worse by most. Builds and measurements are kept like those of `GateAgainst`. The
/// user's working tree is never touched.
public struct Bisection: Sendable {
  private let gate: Gate
  private let run: GateRun
  private let reference: GateReference
  private let builds: RevisionBuilds
  private let good: Commit
  private let bad: Commit
  private let commits: [Commit]

  /// Largest number of observations of one cell of a random subject.
  private static let mostRepeats = 8

  /// - Parameters:
  ///   - good: the good revision, whose subject is found by `reference`.
  ///   - builds: folder of builds; by default the user's cache.
  public init(_ good: GateReference, bad name: String, run: GateRun, builds: URL? = nil) throws {
    (reference, gate, self.good) = (good, good.gate, good.commit)
    var run = run
    run.plan.listen = try run.plan.resolved(in: run.corpus).recordings
    run.plan.cost = nil
    self.run = run
    bad = try good.repository.commit(name)
    guard bad.id != self.good.id else { throw BisectionError.sameCommit(bad.words) }
    commits = try good.repository.commits(after: self.good, upTo: bad)
    self.builds = try RevisionBuilds(
      of: good.repository, in: builds ?? RevisionBuilds.defaultFolder)
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - figure: id of a metric, or a figure as the gate prints it; by default the first regression.
  ///   - say: called before each step.
  public func result(
    figure: String? = nil, noise: GateNoise? = nil, stop: StopSignal = StopSignal(),
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> BisectionResult {
    var bench = Bench(
      run: run, reference: reference, builds: builds, stop: stop, say: say)
    let sides = (good: try bench.side(of: good), bad: try bench.side(of: bad))
    let before = try await bench.cells(of: sides.good)
    let after = try await bench.cells(of: sides.bad)
    let comparison = try RunComparison(
      baseline: Takes(
        before, perturbed: noise?.cells ?? [:], perturbations: noise?.perturbations ?? 0),
      candidate: Takes(after), gate.settings())
    var criterion = try BisectionCriterion(
      of: comparison, good: before, bad: after, figure: figure, (good.words, bad.words))
    try await bench.learnDeviations(of: &criterion, sides.good, sides.bad, before, after)

    var search = CommitSearch(count: commits.count)
    var trials: [Int: BisectionResult.Trial] = [:]
    var known = [sides.good.store: false, sides.bad.store: true]
    var tested = [-1: sides.good, commits.count - 1: sides.bad]
    while let number = search.next {
      let commit = commits[number]
      do {
        let side = try bench.side(of: commit)
        let trial = try await bench.trial(side, criterion, known: known[side.store])
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
    let telling = criterion.cells[0]
    let place = telling.address
    let last = (good: tested[search.good]!, bad: tested[search.bad]!)
    let values = (
      try await bench.value(at: place, of: last.good, criterion),
      try await bench.value(at: place, of: last.bad, criterion)
    )
    return BisectionResult(
      plan: run.plan.name, good: good, bad: bad, suspects: Array(commits[search.suspects]),
      figure: criterion.figure,
      unit: criterion.figure.flatMap { Metric.metric(id: $0.figure.metric)?.unit } ?? "",
      recording: place.recording, condition: place.condition, before: values.0, after: values.1,
      sounds: try bench.sounds(at: place, last.good, last.bad), commits: commits.count,
      builds: bench.built, trials: trials.sorted { $0.key < $1.key }.map(\.value))
  }

  // MARK: - Measuring

  /// Builds commits and measures their cells.
  private struct Bench {
    let run: GateRun
    let reference: GateReference
    let builds: RevisionBuilds
    let stop: StopSignal
    let say: @Sendable (String) -> Void
    /// Number of revisions built now.
    var built = 0

    mutating func side(of commit: Commit) throws -> RevisionSide {
      let stop = stop
      let side = try reference.side(
        of: run, at: commit, builds: builds, isCancelled: { stop.isRaised }, report: say)
      if !side.wasBuilt { built += 1 }
      return side
    }

    /// Returns all cells of the plan, or only one, as measured.
    ///
    /// - Parameter anew: true to measure what is stored again.
    func cells(
      of side: RevisionSide, at place: CellAddress? = nil, anew: Bool = false
    ) async throws -> [ComparedCell] {
      let store = try ResultStore(side.store)
      let stop = stop
      var name = side.plan.name
      if let program = side.program {
        name = run.plan.name
        let other = RevisionProgram(path: program, commit: side.commit.short)
        try other.refuseOtherMetrics(than: run.gate.comparedMetrics)
        try other.run(
          run.gate.planFile, subject: side.subject, corpus: run.corpus.folder, store: side.store,
          jobs: run.jobs, isCancelled: { stop.isRaised })
      } else {
        var sweep = try Sweep(side.plan, corpus: run.corpus, store: store)
        if let place { sweep.share = sweep.cells.filter { CellAddress(of: $0) == place } }
        sweep.measuresAnew = anew
        let left = try await Sweep.byTurns([sweep], jobs: run.jobs, stop: stop)
        guard left == 0 else {
          throw GateError.incomplete(measured: sweep.share.count - left, of: sweep.share.count)
        }
      }
      return try store.run(named: name).comparedCells(ignoring: [SettingSummary.subjectAxis])
        .filter { place == nil || $0.address == place }
    }

    /// Measures the most telling cell of both sides again; if a subject is random, several times.
    func learnDeviations(
      of criterion: inout BisectionCriterion, _ good: RevisionSide, _ bad: RevisionSide,
      _ before: [ComparedCell], _ after: [ComparedCell]
    ) async throws {
      guard good.program == nil, let first = criterion.cells.first, first.bad != nil else { return }
      for (index, cell) in criterion.cells.prefix(3).enumerated() {
        guard let bad0 = cell.bad else { continue }
        var (squares, count) = (0.0, 0.0)
        var means = (good: cell.good, bad: bad0)
        for (side, isBad) in [(good, false), (bad, true)] {
          var values = [isBad ? bad0 : cell.good]
          for _ in 0..<4 {
            guard let found = try await value(at: cell.address, of: side, criterion, anew: true)
            else { break }
            values.append(found)
            // A deterministic subject needs no more than one repetition.
            if index == 0, values.allSatisfy({ $0 == values[0] }) { break }
          }
          let mean = values.reduce(0, +) / Double(values.count)
          if isBad { means.bad = mean } else { means.good = mean }
          squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
          count += Double(values.count - 1)
        }
        criterion.cells[index].good = means.good
        criterion.cells[index].bad = means.bad
        criterion.cells[index].deviation = count > 0 ? (squares / count).squareRoot() : 0
        if squares == 0 { break }
      }
      // The deviation of cells that were not repeated is that of the others.
      let largest = criterion.cells.map(\.deviation).max() ?? 0
      for index in criterion.cells.indices.dropFirst(3) {
        criterion.cells[index].deviation = largest
      }
    }

    /// Tests one commit.
    ///
    /// - Parameter known: whether a commit with the same program was bad; `nil` if none was tested.
    func trial(
      _ side: RevisionSide, _ criterion: BisectionCriterion, known: Bool?
    ) async throws -> BisectionResult.Trial {
      var trial = BisectionResult.Trial(
        commit: side.commit, verdict: .good, remark: nil, cells: 0, value: nil)
      if let known {
        (trial.verdict, trial.remark) = (known ? .bad : .good, "the same program as another commit")
        return trial
      }
      say("testing \(side.commit.words)")
      var test = SequentialTest()
      let isRandom = criterion.cells.contains { $0.deviation > 0 }
      for round in 0..<(isRandom ? Bisection.mostRepeats : 1) {
        for cell in criterion.cells {
          let found = try await cells(of: side, at: cell.address, anew: round > 0)
          trial.cells += 1
          guard let one = found.first else { continue }
          let observation = criterion.observation(of: one)
          if criterion.figure != nil, let reason = one.failure {
            throw AgainstError.referenceFailed(commit: side.commit.words, reason: reason)
          }
          if case .value(let value) = observation, trial.value == nil { trial.value = value }
          switch (observation, cell.bad) {
          case (.none, nil): trial.verdict = .bad
          case (.value, nil): trial.verdict = .good
          case (.none, .some): continue
          case (.value(let value), let bad?):
            test.note(value, good: cell.good, bad: bad, deviation: cell.deviation)
            guard let verdict = test.verdict else { continue }
            trial.verdict = verdict == .bad ? .bad : .good
          }
          return trial
        }
      }
      trial.verdict = test.likelier == .bad ? .bad : .good
      trial.remark = "uncertain: between good and bad"
      return trial
    }

    /// Returns the figure's value in a cell; `nil` if it has none.
    func value(
      at place: CellAddress, of side: RevisionSide, _ criterion: BisectionCriterion,
      anew: Bool = false
    ) async throws -> Double? {
      guard criterion.figure != nil,
        let cell = try await cells(of: side, at: place, anew: anew).first,
        case .value(let value) = criterion.observation(of: cell)
      else { return nil }
      return value
    }

    /// Returns where the sounds of two commits differ most; `nil` if one has no sound.
    func sounds(
      at place: CellAddress, _ good: RevisionSide, _ bad: RevisionSide
    ) throws -> DifferingInstants? {
      let files = try [good, bad].map { side -> URL? in
        let store = try ResultStore(side.store)
        let name = side.program == nil ? side.plan.name : run.plan.name
        return try store.run(named: name).comparedCells(ignoring: [SettingSummary.subjectAxis])
          .first { $0.address == place }.flatMap { store.soundFile(of: $0.key) }
      }
      guard let old = files[0], let new = files[1],
        let pair = try? SoundPair(
          AudioFile(reading: new.path).mono, against: AudioFile(reading: old.path).mono)
      else { return nil }
      return DifferingInstants(
        recording: place.recording, condition: place.condition, baselineFile: old.path,
        candidateFile: new.path, instants: pair.instants())
    }
  }
}

extension CellAddress {
  /// The address of a cell whose subject is ignored.
  fileprivate init(of cell: Cell) {
    self.init(
      recording: cell.recording.id, condition: cell.condition.canonical, score: cell.score.id,
      configuration: cell.settings.canonical)
  }
}
