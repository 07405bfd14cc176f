import Analyzer
import DSP
import Subjects

/// A mix of several voices, from which each voice's pitch is read.
final class MixObservation: Sendable {
  let sound: AnalyzedSound
  /// Delay of the mix.
  let delaySeconds: Double
  /// Target of each voice, without frames near a change of its note.
  let targets: [PitchTrack]
  /// The same including those frames.
  let wanted: [PitchTrack]
  /// The same at any pitch: all that sounds.
  let expected: [PitchTrack]
  /// The lead's pitch at the output's time, and at the input's: where a dry voice would sound.
  private let leads: [PitchTrack]
  private let onceVoices = Once<MixedVoices>()
  private let onceTracks = Once<[PitchTrack]>()
  /// The mix beside each sound it is compared with.
  let pairs = OnceByKey<ObjectIdentifier, Result<SoundPair, Undefined>>()
  let consonants = Once<Result<ConsonantFate, any Error>>()
  let results = OnceByKey<VoiceAnalyses.ResultKey, [MetricResult]>()

  /// Time between frames. The joint fit hears 24 ms and more at once.
  private static let hopSeconds = 0.010

  init(_ mix: Signal, of score: ResolvedScore, delaySeconds: Double) {
    sound = AnalyzedSound(mix)
    self.delaySeconds = delaySeconds
    let frames = (Self.hopSeconds, Int(mix.durationSeconds / Self.hopSeconds))
    func tracks(settledSeconds: Double, _ rangeHz: ClosedRange<Double>) -> [PitchTrack] {
      score.voices.indices.map {
        VoiceObservation.target(
          ofVoice: $0, of: score, like: frames, delaySeconds: delaySeconds,
          settledSeconds: settledSeconds, within: rangeHz)
      }
    }
    targets = tracks(settledSeconds: VoiceObservation.settledSeconds, VoiceObservation.rangeHz)
    wanted = tracks(settledSeconds: 0, VoiceObservation.rangeHz)
    expected = tracks(settledSeconds: 0, VoiceObservation.anyHz)
    leads = [delaySeconds, 0].map { delay in
      let f0Hz = (0..<frames.1).map {
        score.lead.f0Hz(atSeconds: Double($0) * Self.hopSeconds - delay) ?? 0
      }
      return PitchTrack(
        hopSeconds: Self.hopSeconds, f0Hz: f0Hz, voicing: f0Hz.map { $0 > 0 ? 1 : 0 })
    }
  }

  /// The voices around all their targets, including those that no metric judges. The lead's own
  /// pitch counts as one more voice where it sounds.
  var voices: MixedVoices {
    onceVoices {
      let lead = leads.first {
        MixedVoices.holds($0, in: sound.finite, besides: expected)
      }
      return MixedVoices(in: sound.finite, around: expected, besides: lead)
    }
  }

  var tracks: [PitchTrack] {
    onceTracks { targets.indices.map { voices.track(ofVoice: $0) } }
  }
}
