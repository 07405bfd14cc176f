import Testing

/// `choir-eval predict` where too little was measured.
@Suite struct PredictCommandTests {
  /// The command that measures more has the same subject and store.
  @Test func theRemedyKeepsTheFlags() throws {
    let bench = try GateTests.Bench()
    let plan = "Corpus/plans/tiny.yaml"
    _ = try bench.type("run", plan, "--store", "mine.sqlite")
    let answer = try bench.type(
      "predict", plan, "--subject", "psola", "--store", "mine.sqlite")
    #expect(answer.status == 2)
    #expect(
      answer.errors.contains(
        "choir-eval run \(plan) --subject psola --store mine.sqlite --limit-seconds 60"),
      "\(answer.errors)")
  }
}
