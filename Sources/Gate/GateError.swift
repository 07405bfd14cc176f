/// What keeps a gate from a verdict at all; each says the way out.
public enum GateError: Error, Equatable, CustomStringConvertible {
  case gate(path: String, problem: String)
  case noBaseline(path: String, gate: String)
  case baseline(path: String, line: Int?, problem: String)
  case severalSubjects([String])
  case incomplete(measured: Int, of: Int)
  case unstable([String])
  case failedCells([String])
  case noCells(plan: String)
  case noCost(gate: String)
  case severalSettings(Int, gate: String)
  case notOfThisProgram(subject: String)

  public var description: String {
    switch self {
    case .gate(let path, let problem): "\(path): \(problem)"
    case .noBaseline(let path, let gate):
      "there is no baseline \(path) yet; choir-eval accept \(gate) --reason \"first baseline\" "
        + "makes it"
    case .baseline(let path, let line, let problem):
      "\(path)\(line.map { ":\($0)" } ?? ""): \(problem)"
    case .severalSubjects(let ids):
      "the plan has the subjects \(ids.joined(separator: ", ")), so nobody knows whose place "
        + "another takes; gate each by a plan of its own"
    case .incomplete(let measured, let all):
      "\(measured) of \(all) cells were measured; a part is no verdict"
    case .unstable(let figures):
      "two measurements differ by more than noise, so there is nothing to accept:\n"
        + figures.prefix(10).map { "  \($0)\n" }.joined()
        + (figures.count > 10 ? "  and \(figures.count - 10) more\n" : "")
        + "make the subject deterministic, or calibrate: choir-eval gate GATE --calibrate 10"
    case .failedCells(let cells):
      "\(cells.count) cells failed, and what can't be measured is no baseline:\n"
        + cells.prefix(10).map { "  \($0)" }.joined(separator: "\n")
    case .noCells(let plan): "the run of '\(plan)' has no cells"
    case .noCost(let gate):
      "the baseline doesn't say what this cost; choir-eval accept \(gate) --reason \"…\" takes it in, "
        + "and --baseline-program or --baseline-subject compare with what is at hand"
    case .severalSettings(let count, let gate):
      "the plan has \(count) settings, and the cost of each takes some seconds; name those to compare "
        + "in \(gate): cost: {settings: [...]}"
    case .notOfThisProgram(let subject):
      "'\(subject)' runs in a process of its own, so another build of choir-eval says nothing of it, and "
        + "its instructions can't be counted; compare it by time, with --baseline-subject"
    }
  }
}
