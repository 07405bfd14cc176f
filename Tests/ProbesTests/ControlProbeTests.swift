import EvaluationSupport
import Testing

@testable import Probes
@testable import Subjects

/// A plugin whose host turns the pitch while sound runs.
@Suite(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
struct ControlProbeTests {
  private func findings(_ fault: String) throws -> [ProbeFinding] {
    try withExtendedLifetime(ToyPlugin()) { toy in
      ControlProbe.stepFindings(try ProbeBench(try toy.shifter(fault).judged))
        .filter { $0.name.hasPrefix("control") }
    }
  }

  /// The toy's taps change their speed at once, so the new pitch comes with the first sample.
  @Test func aTurnedPitchIsFollowed() throws {
    let found = try findings("NONE")
    let delay = try #require(found.first { $0.name == "control.delay" }?.value)
    #expect(abs(delay) < 1)
    let error = try #require(found.first { $0.name == "control.error" })
    #expect(error.verdict == .good && (error.value ?? 99) < 2)
  }

  @Test func aPluginThatIgnoresItsControlsIsNamed() throws {
    let found = try findings("IGNORES_AUTOMATION")
    #expect(found.map(\.name) == ["control"])
    #expect(found.first?.verdict == .poor)
    #expect(found.first?.words.hasPrefix("ignores its controls while it runs") == true)
  }
}
