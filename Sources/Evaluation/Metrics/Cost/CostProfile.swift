import Corpus
import DSP
import Effects
import Foundation
import Platform
import Statistics
import Subjects

/// The cost of a live subject: its block times, and their dependence on voices, effects and silence.
///
/// - Cost: processes about a minute of sound, 3 s of it in real time.
public struct CostProfile: Encodable, Sendable {
  public struct Voices: Encodable, Sendable {
    public var voices: Int
    public var realtimeFactor: Double
  }

  /// The additional cost and latency of an effect after the subject.
  public struct Marginal: Encodable, Sendable {
    public var effect: String
    public var realtimeFactor: Double
    public var latencyMs: Double
  }

  public var sampleRateHz: Double
  /// Frames of a block: the setting `blockSize`, or 128.
  public var blockSize: Int
  /// Processor time over the duration of the sound.
  public var realtimeFactor: Double
  public var spreads: [BlockSpread]
  /// Processor time of the first block after the start, with cold caches.
  public var firstBlockMs: Double
  /// Mean block in silence after sound over the mean block of sound.
  public var silenceRatio: Double
  /// Peak heap memory, with the subject's creation; `nil` if this build can't count it.
  @NullIfMissing public var peakMemoryMB: Double?
  /// Processor time of the subject's creation.
  public var makingMs: Double
  /// Costs by number of voices; empty for subjects of one voice.
  public var voices: [Voices]
  /// Cost of each further voice: the slope of `voices`.
  public var perVoiceRealtimeFactor: Double?
  public var effects: [Marginal]

  private static let voiceCounts = [1, 2, 3, 4, 6, 8, 12, 16]

  /// Measures a subject.
  ///
  /// - Parameter voice: at least a second of singing.
  public init(of bench: ProbeBench, singing voice: Signal) throws {
    guard let live = bench.live else {
      throw Refusal(
        bench.subject.id,
        "runs in a process of its own and has no blocks to time; choose a live subject")
    }
    sampleRateHz = voice.sampleRateHz
    let size = bench.settings.blockSize
    blockSize = size
    let base = bench.score(noteHz: 220, semitones: 4)
    func start(
      _ score: ResolvedScore? = nil, _ others: SubjectSettings = [:]
    ) throws -> any LiveSound {
      try live.start(
        score ?? base, settings: bench.settings.merging(others) { $1 },
        sampleRateHz: voice.sampleRateHz)
    }

    let before = ThreadClock.seconds
    let sound = try start()
    makingMs = (sound.workElsewhere?.cpuSeconds ?? ThreadClock.seconds - before) * 1000
    let perSecond = voice.sampleRateHz / Double(size)
    let cost = try BlockCost(
      of: live, singing: base, of: voice, settings: bench.settings, counting: true)
    realtimeFactor =
      cost.blockMs.reduce(0) { $0 + Double($1) } / (Double(cost.blockMs.count) * cost.deadlineMs)
    (firstBlockMs, silenceRatio) = (cost.firstBlockMs, cost.silenceRatio)
    peakMemoryMB = cost.peakMemoryMB
    spreads = []
    for size in [32, 64, 128, 256, 512, 1024] where size <= voice.count {
      sound.reset()
      // A tail needs 50 blocks above the threshold, a twentieth of all.
      let blocks = max(1100, Int(4 * voice.sampleRateHz / Double(size)))
      let times = BlockTimes(of: sound, hearing: voice, blocks: blocks, blockSize: size)
      if let spread = BlockSpread(of: times, pace: .unpaced) { spreads.append(spread) }
    }
    sound.reset()
    let paced = BlockTimes(
      of: sound, hearing: voice, blocks: Int(3 * perSecond), blockSize: size, pace: .paced)
    if let spread = BlockSpread(of: paced, pace: .paced) { spreads.append(spread) }

    voices = []
    if bench.takesIntervals {
      for count in Self.voiceCounts {
        let choir = bench.score(
          intervals: (0..<count).map { Double([4, 7, -5, 12][$0 % 4]) + Double($0 / 4) * 0.1 })
        let factor: Double
        do { factor = try Self.best(of: start(choir), hearing: voice, blockSize: size) } catch {
          // A plugin may not reach every interval.
          if bench.subject.external != nil { break }
          throw error
        }
        voices.append(Voices(voices: count, realtimeFactor: factor))
      }
    }
    perVoiceRealtimeFactor = Self.slope(voices.map { (Double($0.voices), $0.realtimeFactor) })

    if let failure = sound.failure { throw failure }
    effects = []
    let dry = try Self.best(of: start(), hearing: voice, blockSize: size)
    let takesEffects = bench.subject.external == nil
    for effect in EffectCatalog.names where takesEffects {
      let wet = try start(nil, [ThroughEffects.setting: .text(effect)])
      let cost = Self.best(of: wet, hearing: voice, blockSize: size)
      let laterMs = Double(wet.latencySamples - sound.latencySamples) / sampleRateHz * 1000
      effects.append(Marginal(effect: effect, realtimeFactor: cost - dry, latencyMs: laterMs))
    }
  }

  private static func realtimeFactor(_ times: BlockTimes) -> Double {
    times.cpuMs.reduce(0, +) / (Double(times.cpuMs.count) * times.deadlineMs)
  }

  /// Returns the lowest real-time factor of three passes over 1 s: other work only ever adds time.
  private static func best(
    of sound: any LiveSound, hearing voice: Signal, blockSize: Int
  ) -> Double {
    let blocks = Int(voice.sampleRateHz / Double(blockSize))
    return (0..<3).map { _ in
      sound.reset()
      return realtimeFactor(
        BlockTimes(of: sound, hearing: voice, blocks: blocks, blockSize: blockSize))
    }.min() ?? 0
  }

  /// Returns the slope of the least-squares line; `nil` for fewer than two different x.
  static func slope(_ points: [(x: Double, y: Double)]) -> Double? {
    guard let x = Statistics.mean(points.map(\.x)), let y = Statistics.mean(points.map(\.y))
    else { return nil }
    let squares = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    guard squares > 0 else { return nil }
    return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / squares
  }
}
