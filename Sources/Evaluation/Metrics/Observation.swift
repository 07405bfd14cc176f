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
  /// The delay by loudness, or the reason why that does not tell it.
  let loudnessDelay: Result<OnsetDelay, Undefined>
  /// Delay of the output, and how it was determined.
  public let delay: SoundDelay
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

  /// Returns the class of recordings to which it belongs, which decides the metrics that are valid.
  package func kind(under condition: Condition) -> RecordingClass {
    RecordingClass(of: recording, under: condition, lead: lead)
  }

  /// True for a probe, of which only delays can be measured because it has no voice.
  public var isProbe: Bool { recording.entry.isProbe }

  /// - Parameters:
  ///   - leadSound: analysis of the subject's input, if it exists already.
  ///   - subject: id of the subject with its settings, for engines with a known law.
  ///   - delay: of the output, if it is known; measured otherwise.
  package init(
    _ recording: Recording, score: ResolvedScore, rendering: Rendering, heard: Signal? = nil,
    jury: JuryTruth? = nil, oracle: Oracle? = nil, leadSound: AnalyzedSound? = nil,
    contract: Result<LiveContract, Undefined>? = nil, judging judged: Set<Int>? = nil,
    subject: String = "", settings: SubjectSettings = [:], delay known: SoundDelay? = nil
  ) {
    let heard = heard ?? recording.signal
    (self.recording, self.heard) = (recording, heard)
    (self.jury, self.score, self.rendering) = (jury, score, rendering)
    (self.oracle, self.contract, self.judged) = (oracle, contract, judged)
    let leadSound = leadSound ?? AnalyzedSound(heard, track: score.lead)
    (self.leadSound, self.subject, self.settings) = (leadSound, subject, settings)
    let wet =
      rendering.holdsDryVoice
      ? (try? DryVoice(in: rendering.mix, from: heard).rest) ?? rendering.mix : rendering.mix
    self.wet = wet
    let isProbe = recording.entry.isProbe
    let stems = isProbe ? [] : rendering.stems.isEmpty ? [wet] : rendering.stems
    let sounds = stems.map { AnalyzedSound($0) }
    func ideal(_ voice: Int) -> AnalyzedSound? {
      oracle.flatMap { $0.sounds.indices.contains(voice) ? $0.sounds[voice] : nil }
    }
    let isMixOnly = rendering.stems.isEmpty && score.voices.count > 1
    loudnessDelay =
      isProbe ? .failure(.impulses) : Undefined.caught { try OnsetDelay(of: wet, from: heard) }
    if isMixOnly, !isProbe {
      let loudness = SoundDelay(loudnessDelay)
      delay = known ?? loudness
      let mix = MixObservation(wet, of: score, delay: delay)
      self.mix = mix
      voices = score.voices.indices.map { voice in
        VoiceObservation(
          voice: voice, inside: mix, of: score, beside: leadSound, ideal: ideal(voice),
          delay: known
            ?? Self.delay(
              ofVoice: voice, sung: mix.tracks[voice], in: wet, of: score, from: heard,
              near: loudness),
          loudness: loudness)
      }
    } else {
      mix = nil
      let own = stems.map { stem in
        stems.count > 1 ? Undefined.caught { try OnsetDelay(of: stem, from: heard) } : nil
      }
      let loudness = Self.delays(ofVoices: own, in: SoundDelay(loudnessDelay))
      voices = sounds.enumerated().map { voice, sound in
        VoiceObservation(
          sound, voice: voice, of: score, beside: leadSound, ideal: ideal(voice),
          ownDelay: own[voice],
          delay: known
            ?? Self.delay(
              ofVoice: voice, sung: sound.track, in: stems[voice], of: score, from: heard,
              near: loudness[voice]),
          loudness: loudness[voice])
      }
      delay = known ?? Self.delay(ofSoundOf: voices) ?? SoundDelay(loudnessDelay)
    }
  }

  /// Returns the delay in the middle of those of the voices; `nil` without one.
  private static func delay(ofSoundOf voices: [VoiceObservation]) -> SoundDelay? {
    let known = voices.map(\.delay).filter { $0.ms != nil }.sorted { $0.ms! < $1.ms! }
    return known.isEmpty ? voices.first?.delay : known[known.count / 2]
  }

  /// Returns the delay of a voice, by its pitch contour if it follows the lead's.
  private static func delay(
    ofVoice voice: Int, sung track: PitchTrack, in sound: Signal, of score: ResolvedScore,
    from input: Signal, near loudness: SoundDelay
  ) -> SoundDelay {
    guard score.followsLead else { return loudness }
    let wanted = VoiceObservation.target(
      ofVoice: voice, of: score, like: (track.hopSeconds, track.count), delay: .given(ms: 0),
      settledSeconds: 0, within: VoiceObservation.rangeHz)
    return loudness.refined(sound, from: input, by: (track, wanted))
  }

  /// Lag of the contour of the input behind the lead's pitch, as read by the judge of the voices. A
  /// synthetic voice sounds later than the pulses whose rate is its exact pitch, by a millisecond or two.
  var judgeLagMs: Double {
    mix.map { $0.lagMs(ofLead: leadSound) } ?? leadSound.trackerLagMs
  }

  /// Latency on which several methods agree.
  var latency: Result<SoundLatency, Undefined> {
    onceLatency {
      loudnessDelay.flatMap { lag in
        Undefined.caught { try SoundLatency(of: wet, from: heard, about: lag) }
      }
    }
  }

  /// Returns the delays by loudness of voices: their own, so that what one voice does moves no figure of
  /// another, or that of the whole where a voice's own loudness tells none.
  private static func delays(
    ofVoices own: [Result<OnsetDelay, Undefined>?], in whole: SoundDelay
  ) -> [SoundDelay] {
    own.map { own in
      guard let delay = try? own?.get(), delay.deviationMs != nil || whole.unknown != nil else {
        return whole
      }
      return .loudness(delay)
    }
  }
}

/// The analyses of one voice, each done on first use.
final class VoiceAnalyses: Sendable {
  /// The figures of one pair metric, which come from one analysis.
  struct ResultKey: Hashable {
    var pair: String
    var reference: PairMetric.Reference
  }

  let secondTrack = Once<PitchTrack>()
  let likeliestLag = Once<Result<ContourLag, Unmeasurable>>()
  let onsetDisplacementsMs = Once<[Double]>()
  let vibrati = Once<[(wanted: VibratoFit, heard: VibratoFit)]>()
  let stepResponses = Once<[Result<StepResponse, Unmeasurable>]>()
  let consonants = Once<Result<ConsonantFate, any Error>>()
  let tremolo = Once<[MetricResult]>()
  /// The voice beside each sound it is compared with.
  let pairs = OnceByKey<ObjectIdentifier, Result<SoundPair, Undefined>>()
  let results = OnceByKey<ResultKey, [MetricResult]>()
}
