import AllocationProbe
import Analyzer
import Corpus
import DSP
import Subjects

/// The properties of a live subject that an audio thread relies on.
///
/// The test plays a second of voice, silence and half a second of voice, twice with a reset
/// between.
///
/// - Cost: the subject's time for 8.5 s of sound.
package struct LiveContract: Equatable, Sendable {
  /// Number of non-finite samples in the first output, in sound and silence.
  var nonFiniteCount: Int
  /// Share of samples that differ after a reset.
  var changedShare: Double
  /// Allocations, releases and locks of `process` per block once it is warm; `nil` under
  /// sanitizers, which have their own allocators.
  var allocationsPerBlock: Double?

  /// Duration of silence, longer than anything in a subject should remember.
  private static let silenceSeconds = 2.75
  private static let blockSize = 128

  /// - Throws: the failure of a plugin that crashes, hangs or writes out of bounds.
  /// - Parameters:
  ///   - score: score to sing with a lead of unknown pitch.
  ///   - settings: settings of the subject.
  init(
    of subject: any LiveSubject, singing score: Score, settings: SubjectSettings,
    sampleRateHz: Double
  ) throws {
    let unknown = PitchTrack(hopSeconds: 1, f0Hz: [])
    let sound = try subject.start(
      ResolvedScore(score, lead: unknown), settings: settings, sampleRateHz: sampleRateHz)
    let input = try Self.input(sampleRateHz: sampleRateHz)
    let (first, _) = Self.play(input, through: sound)
    sound.reset()
    let (second, counted) = Self.play(input, through: sound)
    if let failure = sound.failure { throw failure }
    nonFiniteCount = first.count { !$0.isFinite }
    let changed = zip(first, second).count { $0.bitPattern != $1.bitPattern }
    changedShare = Double(changed) / Double(max(1, first.count))
    let blocks = Double(max(1, input.count / Self.blockSize))
    allocationsPerBlock = allocation_probe_is_live() != 0 ? Double(counted) / blocks : nil
  }

  private static func input(sampleRateHz: Double) throws -> [Float] {
    let voice = try ProbeSounds.voice(sampleRateHz: sampleRateHz).samples
    let silence = [Float](repeating: 0, count: Int(silenceSeconds * sampleRateHz))
    return Array(voice.prefix(Int(sampleRateHz))) + silence
      + Array(voice.prefix(Int(0.5 * sampleRateHz)))
  }

  /// Returns the output and the number of calls counted meanwhile.
  private static func play(
    _ input: [Float], through sound: any LiveSound
  ) -> (output: [Float], counted: Int) {
    var output = [Float](repeating: 0, count: input.count)
    var counted = 0
    let source = input.span
    var target = output.mutableSpan
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let range = start..<min(start + blockSize, input.count)
      let block = source.extracting(range)
      var part = target._mutatingExtracting(range)
      allocation_probe_start()
      sound.process(block, into: &part)
      let here = allocation_probe_stop()
      counted += sound.workElsewhere?.allocations ?? here
    }
    return (output, counted)
  }
}

extension LiveContract {
  /// - Parameter subject: any subject; those of this package and plugins can run live.
  package static func tried(
    on subject: any Subject, singing score: Score, settings: SubjectSettings, sampleRateHz: Double
  ) -> Result<LiveContract, Undefined> {
    guard let live = subject as? any LiveSubject else {
      return .failure(
        Undefined(.notObservable, "runs in a process of its own: its blocks can't be seen"))
    }
    do {
      return .success(
        try LiveContract(
          of: live, singing: score, settings: settings, sampleRateHz: sampleRateHz))
    } catch { return .failure(Undefined(error)) }
  }
}

extension Metric {
  /// Properties of a live subject that an audio thread relies on. The smallest amount of each is too
  /// much: one non-finite sample silences a rack, and an audio thread that allocates once in a hundred
  /// blocks will be late some day.
  package static let contract: [Metric] = [
    ofContract(
      .init(
        "contract.non_finite", unit: "count", .lower, "Non-finite samples, in sound or silence",
        effect: 0.01)
    ) { Double($0.nonFiniteCount) },
    ofContract(
      .init(
        "contract.stale", unit: "share", .lower, "Samples that differ after a reset",
        effect: 0.000_001)
    ) { $0.changedShare },
    ofContract(
      .init(
        "contract.allocations", version: 2, unit: "1/block", .lower,
        "Allocations, releases and locks on the audio thread", effect: 0.001)
    ) { $0.allocationsPerBlock },
  ]

  private static func ofContract(
    _ figure: Figure, _ part: @escaping @Sendable (LiveContract) -> Double?
  ) -> Metric {
    Metric(
      figure,
      domain: "probes; live subjects, of this package or plugins, on a second of voice, 2.75 s of "
        + "silence and half a second of voice"
    ) { observation in
      guard let contract = observation.contract else {
        throw Undefined(.probesOnly, "tried on probes only")
      }
      guard let value = part(try contract.get()) else { throw Undefined.hiddenAllocations }
      return [.value(value, count: 1)]
    }
  }
}
