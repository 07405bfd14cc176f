import Corpus
import DSP
import Files
import Foundation
import Metrics
import Statistics
import Subjects

/// A model of a subject from about a minute of sound that nobody has to record.
///
/// It knows nothing of the subject but its input and output: delay by note, shift, block and
/// setting; errors and swings of pitch; what becomes of formants; level modulation; cost; and the
/// band of input pitch in which it works.
///
/// - Cost: 67 s of sound through the subject, and 3 s more for each varied value; the analysis takes
///   a few seconds.
public struct IdentifiedModel: Codable, Equatable, Sendable {
  public var schema = "choir-eval.model/1"
  public let subject: String
  public let version: String
  public let settings: SubjectSettings
  /// Every tone that was measured.
  public let tones: [ToneTrial]
  public let delay: Identified<DelayLaw>
  public let following: Identified<PitchFollowing>
  public let formants: Identified<FormantBehaviour>
  public let cost: Identified<CostLaw>
  public let band: Identified<WorkingBand>
  /// Sound that went through the subject, of one voice.
  public let soundSeconds: Double

  /// The parts, in the order in which they are identified.
  public enum Part: String, CaseIterable, Sendable { case tones, steps, formants, cost, band }

  static let notesHz = [110.0, 220, 440]
  static let shiftsSemitones = [-5.0, 4, 12]
  static let blockSizes = [32, 1024]
  private static let costSeconds = 2.0

  /// Identifies a subject.
  ///
  /// - Parameters:
  ///   - vary: values of settings at which one more tone each is measured.
  ///   - report: called before each part.
  public init(
    of bench: ProbeBench, vary: [String: [SettingValue]] = [:], report: (Part) -> Void = { _ in }
  ) {
    (subject, version, settings) = (bench.subject.id, bench.subject.version, bench.settings)
    report(.tones)
    var gathered = Gathered()
    let shifts = bench.takesShifts ? Self.shiftsSemitones : [0]
    let usual = bench.takesShifts ? 4.0 : 0
    for noteHz in Self.notesHz {
      for semitones in shifts { gathered.add(bench, noteHz, semitones) }
    }
    if Self.hasBlocks(bench) {
      for size in Self.blockSizes {
        gathered.add(bench, 220, usual, ["blockSize": .number(Double(size))])
      }
    }
    let own = gathered.tones
    for (name, values) in vary.sorted(by: { $0.key < $1.key }) {
      for value in values { gathered.add(bench, 220, usual, [name: value], "\(name)=\(value)") }
    }
    tones = gathered.tones
    let failure = gathered.failure
    delay = Identified { () throws in
      if own.isEmpty, let failure { throw failure }
      return try DelayLaw(own)
    }
    report(.steps)
    following = Identified { try PitchFollowing(bench) }
    report(.formants)
    formants = Identified { try FormantBehaviour(bench) }
    report(.cost)
    let extra = Self.voices(bench)
    let runs = gathered.runs + extra
    cost = Identified { () throws in try CostLaw(runs) }
    report(.band)
    let middleMs = Statistics.median(own.compactMap(\.delayMs.value)) ?? 0
    band = Identified { try WorkingBand(bench, delayMs: middleMs) }
    soundSeconds =
      ToneTrial.seconds * Double(gathered.tones.count) + PitchFollowing.stepSeconds
      + Double(PitchFollowing.swing.periods) * PitchFollowing.swing.periodSeconds + 0.5
      + (bench.takesShifts
        ? FormantBehaviour.seconds * Double(FormantBehaviour.shiftsSemitones.count) : 0)
      + extra.reduce(0) { $0 + $1.seconds } + WorkingBand.seconds
  }

  /// The tones so far, with their times.
  private struct Gathered {
    var tones: [ToneTrial] = []
    var runs: [CostLaw.Run] = []
    /// The first error of the subject.
    var failure: (any Error)?

    mutating func add(
      _ bench: ProbeBench, _ noteHz: Double, _ semitones: Double,
      _ others: SubjectSettings = [:], _ varied: String? = nil
    ) {
      do {
        let (trial, cpuSeconds) = try ToneTrial.run(
          bench, noteHz: noteHz, semitones: semitones, others, varied: varied)
        tones.append(trial)
        guard let cpuSeconds, varied == nil else { return }
        runs.append(
          CostLaw.Run(
            seconds: ToneTrial.seconds, voices: 1,
            blockSize: IdentifiedModel.hasBlocks(bench) ? trial.blockSize ?? 128 : nil,
            cpuSeconds: cpuSeconds))
      } catch { failure = failure ?? error }
    }
  }

  static func hasBlocks(_ bench: ProbeBench) -> Bool {
    bench.subject.settingNames(beside: bench.settings)?.contains("blockSize") ?? false
  }

  /// Times two, four and eight voices, and one voice for longer, as far as the subject sings them.
  private static func voices(_ bench: ProbeBench) -> [CostLaw.Run] {
    guard let sound = try? ProbeSounds.phrase(seconds: costSeconds) else { return [] }
    func run(_ count: Int, _ sound: Signal) -> CostLaw.Run? {
      let intervals = (0..<count).map { Double($0 % 8) - 3.5 }
      let score =
        count == 1
        ? bench.score(noteHz: 220, semitones: bench.takesShifts ? 4 : 0)
        : bench.score(intervals: intervals)
      guard count == 1 || bench.takesIntervals,
        (try? bench.subject.validate(bench.settings, for: score.score)) != nil,
        let cpuSeconds = try? bench.render(sound, score).cpuSeconds
      else { return nil }
      return CostLaw.Run(
        seconds: sound.durationSeconds, voices: count,
        blockSize: hasBlocks(bench)
          ? bench.settings["blockSize"]?.number.map { Int($0) } ?? 128 : nil,
        cpuSeconds: cpuSeconds)
    }
    // A second length tells the start from the sound.
    let short = Signal(
      Array(sound.samples.prefix(sound.count / 2)), sampleRateHz: sound.sampleRateHz)
    return [run(1, short), run(2, sound), run(4, sound), run(8, sound)].compactMap(\.self)
  }
}
