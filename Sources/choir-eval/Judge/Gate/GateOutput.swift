import Gate

/// The output of `gate --json`: the result, with its outcome as `verdict`.
struct GateOutput: Encodable {
  private let result: GateResult
  private let outcome: GateResult.Outcome

  init(_ result: GateResult, strict: Bool) {
    self.result = result
    outcome = result.outcome(strict: strict)
  }

  private enum Key: CodingKey { case verdict, exitCode }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(outcome, forKey: .verdict)
    try container.encode(outcome.exitCode, forKey: .exitCode)
  }
}
