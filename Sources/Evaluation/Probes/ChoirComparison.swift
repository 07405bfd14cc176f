import Analyzer
import Corpus
import DSP
import Metrics
import Platform
import Subjects

/// A finished sound of several voices, judged voice by voice beside the recording that it was made
/// from. It needs no subject, no corpus and no run.
///
/// - Cost: about 0.1 of real time for each voice. Allocates.
public struct ChoirComparison: Sendable {
  /// One figure of the whole sound, of each voice, or both.
  public struct Row: Sendable {
    public let metric: Metric
    /// `nil` for a figure of voices.
    public let whole: MetricResult?
    /// Results by voice, in the order of the intervals; empty for a figure of the whole sound.
    public let voices: [MetricResult]

    /// True if the figure has a value anywhere.
    public var hasValue: Bool {
      ([whole].compactMap { $0 } + voices).contains {
        $0.outcome.number != nil
      }
    }
  }

  public let observation: Observation
  /// The figures that a finished sound can have, in the order of the table of metrics.
  public let rows: [Row]

  /// - Parameters:
  ///   - mix: the harmonizer's output. Sound beyond the end of the shorter one is not compared.
  ///   - recording: the harmonizer's input.
  ///   - intervals: of the voices, in semitones above the recording.
  ///   - holdsDryVoice: true if the recording itself sounds in the mix, beside the voices.
  public init(
    _ mix: Signal, madeFrom recording: Signal, intervals: [Double], holdsDryVoice: Bool = false
  ) throws(Refusal) {
    let rateHz = recording.sampleRateHz
    guard mix.sampleRateHz == rateHz else {
      throw Refusal(
        "the reference has \(rateHz) Hz, the test \(mix.sampleRateHz) Hz; resample one of them "
          + "(sox in.wav -r \(Int(rateHz)) out.wav)")
    }
    let count = min(mix.count, recording.count)
    if let bad = mix.firstNonFinite {
      throw Refusal(
        "sample \(bad) of the test is not a number, so nothing after it can be trusted; "
          + "compare it without --intervals to count such samples")
    }
    let lead = recording[..<count].withoutNonFinite
    let jury = PitchConsensus.truth(of: lead)
    guard jury.track.f0Hz.contains(where: { $0 > 0 }) else {
      throw Refusal(
        "no pitch is found in the reference, so its voices have no targets; name the recording "
          + "that the harmonizer was given")
    }
    let entry = ManifestEntry(id: "reference", kind: "sung")
    observation = Observation(
      Recording(entry: entry, signal: lead, digest: ""),
      score: ResolvedScore(Score(id: "choir", intervalsSemitones: intervals), lead: jury.track),
      rendering: Rendering(mix: mix[..<count], stems: [], holdsDryVoice: holdsDryVoice), jury: jury)
    rows = Metric.ofFinishedMixes.map { [observation] metric in
      let results = metric.measure(observation)
      return Row(
        metric: metric, whole: results.first { $0.voice == nil },
        voices: results.filter { $0.voice != nil }.sorted { $0.voice! < $1.voice! })
    }
  }

  /// The worst instants of all voices: missing first, then out of tune.
  ///
  /// - Parameter most: largest number of instants of each kind.
  public func instants(most: Int = 3) -> [Explanation.Instant] {
    observation.missing(most: most) + observation.outOfTune(most: most)
  }
}
