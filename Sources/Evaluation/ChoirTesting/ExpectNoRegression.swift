import DSP
import Foundation
import Testing

/// Expects that a function transposes voices no worse than its baseline says.
///
/// A small gate runs within the test: synthetic voices, whose pitch is known exactly, go through the
/// function; every metric that got worse by more than its minimum effect is an issue of the test. The
/// baseline is a text file, `Baselines/NAME.tsv` beside the test, to be committed. Make it, or accept a
/// change that is meant, with a reason:
///
///     CHOIR_ACCEPT="first baseline" swift test --filter MyTest
///
///     @Test func shifterKeepsItsQuality() async throws {
///       try await expectNoRegression(of: "shifter") { voice, semitones in
///         shifted(voice, by: semitones)
///       }
///     }
///
/// - Parameters:
///   - name: name of the baseline.
///   - semitones: intervals to transpose by.
///   - voices: performances of the synthetic singer; `choir synth --list` lists them.
///   - metrics: ids or families of metrics, as `choir-eval metrics list` shows them.
///   - transpose: returns as many samples as it is given; called from several threads.
public func expectNoRegression(
  of name: String, semitones: [Double] = [-5, 4, 7],
  voices: [String] = ["vowel-a-bass", "stops-tenor", "runs-6-alto"],
  metrics: [String] = [
    "pitch.abs_error", "pitch.within_25", "voice.missing", "latency.onset", "level.change",
    "samples.non_finite",
  ],
  filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation,
  _ transpose: @escaping @Sendable (_ voice: Signal, _ semitones: Double) throws -> Signal
) async throws {
  let gate = try TestedGate(
    name: name, function: TestedFunction(semitones: semitones, transpose: transpose),
    voices: voices, metrics: metrics,
    folder: URL(fileURLWithPath: filePath).deletingLastPathComponent()
      .appendingPathComponent("Baselines"))
  if let reason = ProcessInfo.processInfo.environment["CHOIR_ACCEPT"], !reason.isEmpty {
    try await gate.accept(because: reason)
  } else {
    for failure in try await gate.failures() {
      Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
  }
}
