import Platform
import Subjects

/// Tests whether a commit is good or bad, with as few cells as decide.
///
/// If noise moves the figure, cells are measured under inaudible changes of the input as well, which
/// gives more observations of a deterministic subject too.
struct CommitTrial {
  private let bench: RevisionBench
  private let criterion: BisectionCriterion

  init(_ bench: RevisionBench, _ criterion: BisectionCriterion) {
    (self.bench, self.criterion) = (bench, criterion)
  }

  /// - Parameter known: whether a commit with the same program was bad; `nil` if none was tested.
  /// - Throws: if a cell of the figure fails, which says nothing about the figure.
  func result(of side: RevisionSide, known: Bool?) async throws -> BisectionResult.Trial {
    var trial = BisectionResult.Trial(
      commit: side.commit, verdict: .good, remark: nil, cells: 0, value: nil)
    if let known {
      (trial.verdict, trial.remark) = (known ? .bad : .good, "the same program as another commit")
      return trial
    }
    var test = SequentialTest()
    let isNoisy = criterion.cells.contains { $0.deviation > 0 }
    let perturbations: [Perturbation?] =
      isNoisy ? try bench.perturbations(of: side, isRandom: false).map(\.self) : []
    for perturbation in [nil] + perturbations {
      for cell in criterion.cells {
        guard
          let one = try await bench.cells(of: side, at: cell.address, under: perturbation).first
        else { continue }
        trial.cells += 1
        let observation = criterion.observation(of: one)
        if criterion.figure != nil, let reason = one.failure {
          throw Refusal.referenceFailed(commit: side.commit.words, reason: reason)
        }
        if criterion.figure != nil { trial.value = trial.value ?? observation }
        switch (observation, cell.bad) {
        case (let observation, nil): trial.verdict = observation == nil ? .bad : .good
        case (nil, .some): continue
        case (let value?, let bad?):
          test.note(value, good: cell.good, bad: bad, deviation: cell.deviation)
          guard let verdict = test.verdict else { continue }
          trial.verdict = verdict == .bad ? .bad : .good
        }
        return trial
      }
    }
    guard test.count > 0 else {
      throw Refusal.referenceFailed(
        commit: side.commit.words, reason: "the figure has no value there")
    }
    trial.verdict = test.likelier == .bad ? .bad : .good
    trial.remark = "uncertain: between good and bad"
    return trial
  }
}
