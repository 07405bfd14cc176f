import Platform

/// A failure that prevents a verdict.
public enum GateError: Error, Equatable, CustomStringConvertible {
  case gate(path: String, problem: String)
  /// A gate's file of which another error says what is wrong.
  case unreadable(path: String, cause: Cause)
  case noBaseline(path: String, gate: String)
  case baseline(path: String, line: Int?, problem: String)
  /// A file beside the baseline that does not belong to it.
  case ofAnotherBaseline(path: String, accept: String)
  /// Noise is missing where a baseline keeps old values.
  case unknownNoise(figures: Int, accept: String)
  /// A program whose figures are not the baseline's.
  case otherProgram(differing: [String], accept: String)
  case severalSubjects([String])
  case incomplete(measured: Int, of: Int)
  case unstable([String])
  case random(figures: Int, gate: String)
  case renderedElsewhere(subject: String)
  case failedCells([String])
  case noCells(plan: String)
  case contentChanged(accept: String)
  case severalSettings(Int, gate: String)
  case notOfThisProgram(subject: String)

  public var description: String {
    switch self {
    case .gate(let path, let problem): "\(path): \(problem)"
    case .unreadable(let path, let cause): "\(path): \(cause)"
    case .noBaseline(let path, let gate):
      "the baseline \(path) does not exist; create it: choir-eval accept \(gate) --reason "
        + "\"first baseline\""
    case .baseline(let path, let line, let problem):
      "\(path)\(line.map { ":\($0)" } ?? ""): \(problem)"
    case .ofAnotherBaseline(let path, let accept):
      "\(path) belongs to another baseline than the one beside it: one of the two was restored, merged "
        + "or written alone; restore both from one commit, or accept both again: \(accept)"
    case .unknownNoise(let figures, let accept):
      "the baseline keeps the old values of \(counted(figures, "figure")), whose noise under as many "
        + "inaudible changes is not known; accept all figures, each with its noise: \(accept)"
    case .otherProgram(let differing, let accept):
      "this program is not the one that the baseline was accepted from, so its noise would be that of "
        + "another: \(counted(differing.count, "difference")), such as "
        + differing.prefix(3).joined(separator: "; ")
        + "; measure the program of the baseline, or accept this one with its noise: \(accept)"
    case .severalSubjects(let ids):
      "the plan has several subjects (\(ids.joined(separator: ", "))), but one is needed here; "
        + "split the plan and try each subject on its own"
    case .incomplete(let measured, let all):
      "only \(measured) of \(all) cells were measured, and a gate needs all; run it again"
    case .unstable(let figures):
      "two measurements of the same subject contradict each other; nothing to accept:\n"
        + figures.prefix(10).map { "  \($0)\n" }.joined()
        + (figures.count > 10 ? "  and \(figures.count - 10) more\n" : "")
        + "run it again on an idle machine"
    case .random(let figures, let gate):
      "the subject is random: \(figures) figures differ between two equal runs, and the noise of the "
        + "baseline is not known; measure it: choir-eval accept \(gate) --all --reason \"its noise\""
    case .renderedElsewhere(let subject):
      "'\(subject)' was rendered elsewhere, so it can't be given another input; leave perturbations "
        + "out of the gate, or describe the program that renders it"
    case .failedCells(let cells):
      "\(counted(cells.count, "cell")) failed, and a baseline needs all of them; fix these first:\n"
        + cells.prefix(10).map { "  \($0)" }.joined(separator: "\n")
    case .noCells(let plan): "the run of '\(plan)' has no cells; check the plan's recordings"
    case .contentChanged(let accept):
      "every cell has a recording or a score whose content differs from the baseline's, so nothing "
        + "can be compared; accept it: \(accept)"
    case .severalSettings(let count, let gate):
      "the plan has \(count) settings, and the cost of each takes seconds; choose some in \(gate): "
        + "cost: {settings: [...]}"
    case .notOfThisProgram(let subject):
      "'\(subject)' is an external program, so another build of choir-eval cannot measure it; name a "
        + "subject as --baseline"
    }
  }
}
