import Analyzer
import Corpus
import DSP
import Foundation
import Subjects

/// A rendering with its input and the analysis of both, from which metrics are measured.
public struct Observation: Sendable {
  public let recording: Recording
  public let score: ResolvedScore
  public let rendering: Rendering
  /// The lead's pitch: exact for synthetic recordings, otherwise agreed on by the trackers.
  public var lead: PitchTrack { score.lead }
  /// The subject's input: the recording under a condition.
  public let heard: Signal
  /// The output without the dry voice, if it holds one.
  let wet: Signal
  /// Agreement of the trackers on the lead's pitch; `nil` if it is exact.
  public let jury: JuryTruth?
  /// Delay of the output, and how it was determined.
  public let delay: Delay
  /// Observations of each voice; empty for a probe.
  public let voices: [VoiceObservation]
  /// The mix in which the voices are judged, if the subject gives no stems.
  let mix: MixObservation?
  /// The ideal rendering of a synthetic recording; `nil` for any other.
  public let oracle: Oracle?
  /// Analysis of the subject's input.
  let leadSound: AnalyzedSound
  /// Test of the subject's live contract, for probes only.
  let contract: Result<LiveContract, Undefined>?
  /// Indices of the voices to judge; `nil` means all.
  let judged: Set<Int>?
  let subject: String
  let settings: SubjectSettings
  let onsetDelays = Once<Result<DelayEstimate, any Error>>()
  /// Delay of each stem, or of the mix of a subject without stems, on the impulse probe.
  let impulseDelays = Once<[Result<ImpulseDelay, any Error>]>()
  private let onceLatency = Once<Result<SoundLatency, Undefined>>()
  private let onceTrackerLagMs = Once<Double>()

  public enum Delay: Equatable, Sendable {
    case measured(OnsetDelay)
    /// Latency stated by the subject, because the sound has no onsets.
    case reported(ms: Double, because: Undefined)

    public var seconds: Double {
      switch self {
      case .measured(let onset): onset.delayMs / 1000
      case .reported(let ms, _): ms / 1000
      }
    }
  }

  /// Returns the class of recordings to which it belongs, which decides the metrics that are valid.
  package func kind(under condition: Condition) -> RecordingClass {
    RecordingClass(of: recording, under: condition, lead: lead)
  }

  /// True for a probe, of which only delays can be measured because it has no voice.
  public var isProbe: Bool { recording.entry.kind == "probe" }

  /// - Parameters:
  ///   - leadSound: analysis of the subject's input, if it exists already.
  ///   - subject: id of the subject with its settings, for engines with a known law.
  package init(
    _ recording: Recording, score: ResolvedScore, rendering: Rendering, heard: Signal? = nil,
    jury: JuryTruth? = nil, oracle: Oracle? = nil, leadSound: AnalyzedSound? = nil,
    contract: Result<LiveContract, Undefined>? = nil, judging judged: Set<Int>? = nil,
    subject: String = "", settings: SubjectSettings = [:]
  ) {
    let heard = heard ?? recording.signal
    self.recording = recording
    self.heard = heard
    self.jury = jury
    self.score = score
    self.rendering = rendering
    self.oracle = oracle
    self.contract = contract
    self.judged = judged
    self.leadSound = leadSound ?? AnalyzedSound(heard, track: score.lead)
    self.subject = subject
    self.settings = settings
    let wet =
      rendering.holdsDryVoice
      ? (try? DryVoice(in: rendering.mix, from: heard).rest) ?? rendering.mix : rendering.mix
    self.wet = wet
    let delay: Delay =
      recording.entry.kind == "probe"
      ? .reported(ms: rendering.reportedLatencyMs ?? 0, because: .impulses)
      : Self.delay(of: wet, from: heard, reportedMs: rendering.reportedLatencyMs)
    self.delay = delay
    let isMixOnly = rendering.stems.isEmpty && score.voices.count > 1
    if recording.entry.kind == "probe" {
      (mix, voices) = (nil, [])
    } else if isMixOnly {
      let mix = MixObservation(wet, of: score, delaySeconds: delay.seconds)
      self.mix = mix
      voices = score.voices.indices.map { VoiceObservation(voice: $0, inside: mix, of: score) }
    } else {
      mix = nil
      let stems = rendering.stems.isEmpty ? [wet] : rendering.stems
      let own = stems.map { stems.count > 1 ? try? OnsetDelay(of: $0, from: heard) : nil }
      let delays = Self.delaysSeconds(ofVoices: own, in: delay)
      voices = stems.enumerated().map { voice, stem in
        VoiceObservation(
          stem, voice: voice, of: score, ownDelay: own[voice], delaySeconds: delays[voice])
      }
    }
  }

  /// Lag of the tracker's contour of the input behind the lead's pitch. A synthetic voice sounds later
  /// than the pulses whose rate is its exact pitch, by a millisecond or two.
  var trackerLagMs: Double {
    onceTrackerLagMs { leadSound.trackerLagMs(behind: lead) }
  }

  /// Latency on which several methods agree.
  var latency: Result<SoundLatency, Undefined> {
    onceLatency {
      switch delay {
      case .reported(_, let reason): return .failure(reason)
      case .measured(let lag):
        return Result { () throws(SoundLatency.Failure) in
          try SoundLatency(of: wet, from: heard, about: lag)
        }.mapError { Undefined($0) }
      }
    }
  }

  /// Smallest distance between the delays of two voices that sets voices apart. The loudness of voices
  /// without a delay differs by some milliseconds.
  private static let apartMs = 5.0

  /// Returns the delays by which voices are aligned: their own if two of them lie clearly apart, as the
  /// delay of the whole then follows the louder one. Otherwise that of the whole, which errs less.
  private static func delaysSeconds(ofVoices own: [OnsetDelay?], in whole: Delay) -> [Double] {
    let told = own.compactMap { delay in
      delay.flatMap { delay in
        delay.deviationMs.map { (low: delay.delayMs - 2 * $0, high: delay.delayMs + 2 * $0) }
      }
    }
    let areApart =
      if let first = told.map(\.high).min(), let last = told.map(\.low).max() {
        last - first > apartMs
      } else {
        false
      }
    return own.map { delay in
      guard areApart, let delay, delay.deviationMs != nil else { return whole.seconds }
      return delay.delayMs / 1000
    }
  }

  private static func delay(
    of output: Signal, from input: Signal, reportedMs: Double?
  ) -> Delay {
    do { return .measured(try OnsetDelay(of: output, from: input)) } catch {
      return .reported(ms: reportedMs ?? 0, because: Undefined(error))
    }
  }
}

/// The analyses of one voice, each done on first use.
final class VoiceAnalyses: Sendable {
  /// The figures of one pair metric, which come from one analysis.
  struct ResultKey: Hashable {
    var pair: String
    var reference: Metric.Reference
  }

  let judged = Once<PitchTrack>()
  let lag = Once<Result<ContourLag, ContourLag.Failure>>()
  let onsetDisplacementsMs = Once<[Double]>()
  let vibrati = Once<[(wanted: VibratoFit, heard: VibratoFit)]>()
  let stepResponses = Once<[Result<StepResponse, StepResponse.Failure>]>()
  let consonants = Once<Result<ConsonantFate, any Error>>()
  let tremolo = Once<[MetricResult]>()
  /// The voice beside each sound it is compared with.
  let pairs = OnceByKey<ObjectIdentifier, Result<SoundPair, Undefined>>()
  let results = OnceByKey<ResultKey, [MetricResult]>()
}
