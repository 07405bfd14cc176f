import CommandSupport
import Gate
import Subjects

extension GateRun {
  /// Measures the subject under each perturbation, with a progress bar.
  func takes(_ perturbations: [Perturbation]) async throws -> [MeasuredRun] {
    var runs: [MeasuredRun] = []
    for (index, perturbation) in perturbations.enumerated() {
      Terminal.progress("inaudible change \(index + 1) of \(perturbations.count)\n")
      runs.append(
        try await Interruption.measuring { stop, report in
          try await measureOnce(under: perturbation, stop: stop, report: report)
        })
    }
    return runs
  }
}
