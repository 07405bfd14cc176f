import Testing

@testable import Gate

@Suite struct GateErrorTests {
  @Test func aPathIsOneWordOfItsCommand() {
    #expect(
      GateError.noCost(gate: "my gates/smoke.yaml").description
        .contains("choir-eval accept 'my gates/smoke.yaml' --reason"))
  }
}
