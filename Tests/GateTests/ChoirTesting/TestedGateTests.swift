import DSP
import Foundation
import TestSupport
import Testing

@testable import ChoirTesting

/// A gate of two quick metrics on one synthetic voice, with functions that leave the voice as it is, or
/// spoil it.
@Suite struct TestedGateTests {
  private let folder = try! TemporaryFolder()

  private func gate(
    _ transpose: @escaping @Sendable (Signal, Double) throws -> Signal
  ) throws -> TestedGate {
    try TestedGate(
      name: "tested", function: TestedFunction(semitones: [0], transpose: transpose),
      voices: ["vowel-i-alto"], metrics: ["level.change", "samples.non_finite"],
      folder: folder.file("Baselines"))
  }

  @Sendable private static func unchanged(_ voice: Signal, _ semitones: Double) -> Signal { voice }

  /// Half the level: −6 dB, far above the minimum effect of 0.5 LU.
  @Sendable private static func softer(_ voice: Signal, _ semitones: Double) -> Signal {
    Signal(voice.samples.map { $0 / 2 }, sampleRateHz: voice.sampleRateHz)
  }

  @Test func aChangeFailsUntilItIsAccepted() async throws {
    let good = try gate(Self.unchanged)
    let first = try await good.failures()
    #expect(first.count == 1 && first[0].contains("does not exist; make it: CHOIR_ACCEPT"))
    try await good.accept(because: "first baseline")
    #expect(try await good.failures().isEmpty)
    let worse = try gate(Self.softer)
    let failures = try await worse.failures()
    #expect(failures.count == 1 && failures[0].hasPrefix("regression: level.change"), "\(failures)")
    try await worse.accept(because: "softer on purpose")
    #expect(try await worse.failures().isEmpty)
    let text = try String(contentsOf: worse.baselineFile, encoding: .utf8)
    #expect(text.contains("softer on purpose"))
  }

  @Test func aFunctionThatReturnsTooLittleFails() async throws {
    try await gate(Self.unchanged).accept(because: "first baseline")
    let short = try gate { voice, _ in
      Signal(Array(voice.samples.dropLast()), sampleRateHz: voice.sampleRateHz)
    }
    let failures = try await short.failures()
    #expect(failures.contains { $0.hasPrefix("cell failed") && $0.contains("expected") })
  }

  @Test func theExpectationRecordsAnIssue() async throws {
    let path = folder.path("MyTests.swift")
    await withKnownIssue {
      try await expectNoRegression(
        of: "none", semitones: [0], voices: ["vowel-i-alto"], metrics: ["level.change"],
        filePath: path
      ) { voice, _ in voice }
    }
  }
}
