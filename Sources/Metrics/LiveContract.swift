import AllocationProbe
import Analyzer
import Corpus
import DSP
import Subjects

/// What an audio thread must be able to rely on, tried on a live subject: a second of voice, silence,
/// half a second of voice, twice over with a reset between.
///
/// - Cost: the subject's time on 8.5 s of sound.
package struct LiveContract: Equatable, Sendable {
  /// Of all that came out the first time, in sound and in silence.
  var nonFiniteCount: Int
  /// Samples that come out otherwise after a reset than they did at first, among all.
  var changedShare: Double
  /// What `process` takes from the heap, gives back or locks, for each block, once it is warm; `nil`
  /// under sanitizers, which have allocators of their own.
  var allocationsPerBlock: Double?

  /// How long a subject hears nothing: longer than anything in it should remember.
  private static let silenceSeconds = 2.75
  private static let blockSize = 128

  /// - Parameters:
  ///   - score: sung against a lead that nobody knows.
  ///   - settings: of the subject.
  init(
    of subject: any LiveSubject, singing score: Score, settings: SubjectSettings,
    sampleRateHz: Double
  ) throws {
    let unknown = PitchTrack(hopSeconds: 1, f0Hz: [], voicing: [])
    let sound = try subject.start(
      ResolvedScore(score, lead: unknown), settings: settings, sampleRateHz: sampleRateHz)
    let input = try Self.input(sampleRateHz: sampleRateHz)
    let (first, _) = Self.play(input, through: sound)
    sound.reset()
    let (second, counted) = Self.play(input, through: sound)
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

  /// What comes out, and what was counted while it did.
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
      counted += allocation_probe_stop()
    }
    return (output, counted)
  }
}

extension LiveContract {
  /// Why it was not tried.
  package struct Untried: Error, Equatable { var reason: String }

  /// - Parameter subject: any; only those of this package can be held at work.
  package static func tried(
    on subject: any Subject, singing score: Score, settings: SubjectSettings, sampleRateHz: Double
  ) -> Result<LiveContract, Untried> {
    guard let live = subject as? any LiveSubject else {
      return .failure(Untried(reason: "runs in a process of its own: its blocks can't be seen"))
    }
    do {
      return .success(
        try LiveContract(
          of: live, singing: score, settings: settings, sampleRateHz: sampleRateHz))
    } catch { return .failure(Untried(reason: "\(error)")) }
  }
}
