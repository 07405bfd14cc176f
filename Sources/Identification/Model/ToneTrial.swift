import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Statistics
import Subjects

/// Measurement of one tone: 1.1 s steady, then 1.6 s whose level swings without repetition, with
/// silence before and behind.
public struct ToneTrial: Codable, Equatable, Sendable {
  /// Pitch of the input.
  public var noteHz: Double
  /// Interval that was asked for; 0 for subjects that follow the lead.
  public var semitones: Double
  /// Frames of a block; `nil` for subjects without blocks.
  public var blockSize: Int?
  /// The setting that differs from the subject's, as `name=value`; `nil` if none does.
  public var varied: String?
  /// Delay of the level's swing.
  public var delayMs: Identified<Double>
  /// Median distance of the steady part's pitch from the one asked for; positive is sharp.
  public var errorCents: Identified<Double>
  /// Standard deviation of that pitch: frequency modulation that the tone lacks.
  public var swingCents: Identified<Double>
  /// Regular level modulation that the tone lacks, trough to crest; 0 if there is none.
  public var levelSwingDb: Identified<Double>
  /// Rate of that modulation; 0 if there is none.
  public var levelSwingHz: Double
  /// Level relative to the input's.
  public var gainDb: Double

  /// Silence at both ends, so that a delayed tone is neither cut nor at the edge of the sound.
  private static let startSeconds = 0.2
  private static let steadySeconds = 1.3
  private static let endSeconds = 2.9
  static let seconds = 3.2
  private static let rateHz = 48_000.0
  /// The tracker has settled on a tone after this, beside the subject's delay.
  private static let settledSeconds = 0.4

  static func sound(noteHz: Double) -> Signal {
    ProbeSounds.tone(seconds: seconds, sampleRateHz: rateHz) { _ in
      noteHz
    } gain: { time in
      let edges = max(0, min(1, (time - startSeconds) / 0.05, (endSeconds - time) / 0.1))
      guard time > steadySeconds else { return 0.7 * edges }
      // The rates have no common period, so only one lag aligns them.
      let swings = [2.3, 3.7, 5.9].reduce(0) { $0 + sin(2 * .pi * $1 * (time - steadySeconds)) }
      return (0.7 + 0.15 * swings) * edges
    }
  }

  /// Renders and measures the tone.
  ///
  /// - Throws: the subject's error.
  /// - Returns: the trial, and the processor time that it took; `nil` if that is not known.
  static func run(
    _ bench: ProbeBench, noteHz: Double, semitones: Double, _ others: SubjectSettings = [:],
    varied: String? = nil
  ) throws -> (trial: ToneTrial, cpuSeconds: Double?) {
    let input = sound(noteHz: noteHz)
    let rendering = try bench.render(
      input, bench.score(noteHz: noteHz, semitones: semitones), others)
    let block = others["blockSize"] ?? bench.settings["blockSize"]
    let trial = ToneTrial(
      of: rendering.mix, from: input, noteHz: noteHz, semitones: semitones,
      blockSize: block?.number.map { Int($0) }, varied: varied)
    return (trial, rendering.cpuSeconds)
  }

  /// - Parameter output: the subject's output for `sound(noteHz:)`.
  init(
    of output: Signal, from input: Signal, noteHz: Double, semitones: Double, blockSize: Int?,
    varied: String?
  ) {
    (self.noteHz, self.semitones) = (noteHz, semitones)
    (self.blockSize, self.varied) = (blockSize, varied)
    let outline = Result {
      try OnsetDelay(ofOutline: output.slowOutline, from: input.slowOutline).delayMs
    }
    delayMs = Identified { try outline.get() }
    let delaySeconds = max(0, (delayMs.value ?? 0) / 1000)
    let target = noteHz * exp2(semitones / 12)
    let errors = Identified {
      try Self.errors(of: output, targetHz: target, delaySeconds: delaySeconds)
    }
    errorCents = Identified { try Statistics.median(errors.known())! }
    swingCents = Identified { try Statistics.deviation(errors.known()) ?? 0 }
    let swing = Result { () throws -> LevelSwing in
      let late = Int(delaySeconds * output.sampleRateHz)
      return try LevelSwing(
        of: Signal(Array(output.samples.dropFirst(late)), sampleRateHz: output.sampleRateHz),
        against: Signal(Array(input.samples.dropLast(late)), sampleRateHz: input.sampleRateHz))
    }
    levelSwingDb = Identified { try swing.get().depthDb }
    levelSwingHz = (try? swing.get().rateHz) ?? 0
    func power(_ signal: Signal) -> Double {
      signal.samples.reduce(1e-30) { $0 + ($1.isFinite ? Double($1) * Double($1) : 0) }
    }
    gainDb = 10 * log10(power(output) / power(input))
  }

  /// Returns the distances from the pitch asked for, in cents, over the steady part.
  ///
  /// - Throws: `Undefined` if a tenth of the part has no pitch.
  private static func errors(
    of output: Signal, targetHz: Double, delaySeconds: Double
  ) throws -> [Double] {
    let track = PitchTracker.standard.track(output)
    let first = Int((startSeconds + settledSeconds + delaySeconds) / track.hopSeconds)
    let last = Int((steadySeconds + delaySeconds - 0.05) / track.hopSeconds)
    let frames = track.f0Hz[min(first, track.count)..<min(last, track.count)]
    let heard = frames.filter { $0 > 0 }
    guard !frames.isEmpty, Double(heard.count) >= 0.9 * Double(frames.count) else {
      throw Undefined(
        .noPeriod, "a steady tone has a pitch in \(heard.count) of \(frames.count) frames")
    }
    return heard.map { cents($0, over: targetHz) }
  }
}

extension Identified {
  /// Returns the value or throws the reason.
  func known() throws(Undefined) -> Value {
    switch self {
    case .known(let value): return value
    case .unknown(let reason): throw reason
    }
  }
}
