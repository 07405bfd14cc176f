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
  /// Agreement of the trackers on the lead's pitch; `nil` if it is exact.
  public let jury: JuryTruth?
  /// Delay of the output, and how it was determined.
  public let delay: Delay
  /// Observations of each voice.
  public let voices: [VoiceObservation]
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
    let delay =
      recording.entry.kind == "probe"
      ? .reported(ms: rendering.reportedLatencyMs ?? 0, because: .impulses)
      : Self.delay(of: rendering, from: heard)
    self.delay = delay
    voices =
      recording.entry.kind == "probe"
      ? []
      : rendering.stems.enumerated().map { voice, stem in
        VoiceObservation(stem, voice: voice, of: score, delaySeconds: delay.seconds)
      }
  }

  private static func delay(of rendering: Rendering, from input: Signal) -> Delay {
    do {
      return .measured(try OnsetDelay(of: rendering.mix, from: input))
    } catch {
      return .reported(ms: rendering.reportedLatencyMs ?? 0, because: Undefined(error))
    }
  }
}

/// One voice and its target.
public struct VoiceObservation: Sendable {
  public var stem: Signal { sound.signal }
  let sound: AnalyzedSound
  /// Target pitch on the frames of `heard`. It is 0 without a target, near a change of the note and
  /// outside of 60 to 1200 Hz, where trackers err.
  public let target: PitchTrack
  /// The target including frames near a change.
  let wanted: PitchTrack
  /// Changes of the voice's note.
  let steps: [PitchStep]
  /// Pitch of the voice by the tracker.
  public var heard: PitchTrack { sound.track }
  let analyses = VoiceAnalyses()

  private static let settledSeconds = 0.030

  init(_ stem: Signal, voice: Int, of score: ResolvedScore, delaySeconds: Double) {
    let sound = AnalyzedSound(stem)
    self.sound = sound
    let range = 60.0...1200  // the domain of the pitch metrics
    let hop = sound.track.hopSeconds
    func track(settledSeconds: Double) -> PitchTrack {
      let wanted = sound.track.f0Hz.indices.map { frame -> Double in
        let hz =
          score.targetHz(
            ofVoice: voice, atSeconds: Double(frame) * hop, delaySeconds: delaySeconds,
            settledSeconds: settledSeconds) ?? 0
        return range.contains(hz) ? hz : 0
      }
      return PitchTrack(hopSeconds: hop, f0Hz: wanted, voicing: wanted.map { $0 > 0 ? 1 : 0 })
    }
    target = track(settledSeconds: Self.settledSeconds)
    wanted = track(settledSeconds: 0)
    steps = score.steps(ofVoice: voice)
  }

  /// Pitch of the voice by the second tracker, on every fourth frame.
  public var judged: PitchTrack {
    analyses.judged { HarmonicFit(of: stem).track(around: target, every: 4) }
  }

  /// Returns the errors in cents of frames in which both the target and `track` have a pitch.
  func errorsCents(of track: PitchTrack) -> [Double] {
    zip(track.f0Hz, target.f0Hz).compactMap { heard, wanted in
      heard > 0 && wanted > 0 ? cents(heard, over: wanted) : nil
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
  let onsetDisplacementsMs = Once<[Double]>()
  let vibrati = Once<[(wanted: VibratoFit, heard: VibratoFit)]>()
  let stepResponses = Once<[Result<StepResponse, StepResponse.Failure>]>()
  let consonants = Once<Result<ConsonantFate, any Error>>()
  let tremolo = Once<[MetricResult]>()
  /// The voice beside each sound it is compared with.
  let pairs = OnceByKey<ObjectIdentifier, Result<SoundPair, Undefined>>()
  let results = OnceByKey<ResultKey, [MetricResult]>()
}
