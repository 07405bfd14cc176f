import Corpus
import DSP
import Subjects

/// A live subject that smooths its input, with a fault: it remembers its last sample over a reset, fails at one rate,
/// or the like. It lies here because the tests themselves are not optimized and it works sample by sample.
package struct FaultyFilter: LiveSubject {
  package enum Fault: Sendable { case none, remembers, notANumber, countsBlocks, fails, random }

  package let id = "filter"
  package let version = "1"
  let fault: Fault

  package init(fault: Fault) { self.fault = fault }

  final class Sound: LiveSound {
    let fault: Fault
    var last: Float = 0
    var draw = SystemRandomNumberGenerator()
    let latencySamples = 0

    init(_ fault: Fault) { self.fault = fault }

    func reset() { if fault != .remembers { last = 0 } }

    func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
      for i in 0..<input.count {
        last = 0.5 * last + input[i]
        output[i] = last
        if fault == .notANumber, input[i] > 2 { output[i] = .nan }
        if fault == .random { output[i] *= .random(in: 0.9...1.1, using: &draw) }
      }
      if fault == .countsBlocks, input.count != 128 { output[0] *= -1 }
    }
  }

  struct Refusal: Error {}

  package func validate(_ settings: SubjectSettings, for score: Score) throws {}

  package func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    if fault == .fails, sampleRateHz > 90_000 { throw Refusal() }
    return Sound(fault)
  }

  package func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering { Rendering(mix: signal, stems: [signal]) }
}
