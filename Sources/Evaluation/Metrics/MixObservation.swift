import Analyzer
import DSP
import Subjects

/// A mix of several voices, from which each voice's pitch is read.
final class MixObservation: Sendable {
  let sound: AnalyzedSound
  /// Delay of the mix.
  let delay: SoundDelay
  /// Target of each voice at any pitch: all that sounds.
  let expected: [PitchTrack]
  /// The lead's pitch at the output's time, and at the input's: where a dry voice would sound.
  private let leads: [PitchTrack]
  private let onceVoices = Once<MixedVoices>()
  private let onceTracks = Once<[PitchTrack]>()
  private let onceLeadLagMs = Once<Double>()
  /// The mix beside each sound it is compared with.
  let pairs = OnceByKey<ObjectIdentifier, Result<SoundPair, Undefined>>()
  let consonants = Once<Result<ConsonantFate, any Error>>()
  let results = OnceByKey<VoiceAnalyses.ResultKey, [MetricResult]>()

  /// Time between frames. The joint fit hears 24 ms and more at once.
  private static let hopSeconds = 0.010

  init(_ mix: Signal, of score: ResolvedScore, delay: SoundDelay) {
    sound = AnalyzedSound(mix)
    self.delay = delay
    let frames = (Self.hopSeconds, Int(mix.durationSeconds / Self.hopSeconds))
    expected = score.voices.indices.map {
      VoiceObservation.target(
        ofVoice: $0, of: score, like: frames, delay: delay, settledSeconds: 0,
        within: VoiceObservation.anyHz)
    }
    leads = [delay.trajectory, DelayTrajectory(ms: 0)].compactMap(\.self).map { delay in
      let f0Hz = (0..<frames.1).map { frame in
        let time = Double(frame) * Self.hopSeconds
        return score.lead.f0Hz(atSeconds: time - delay.ms(atSeconds: time) / 1000) ?? 0
      }
      return PitchTrack(hopSeconds: Self.hopSeconds, f0Hz: f0Hz)
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
    onceTracks { expected.indices.map { voices.track(ofVoice: $0) } }
  }

  /// Returns the lag of the lead's contour, as the joint fit reads it, behind its pitch; 0 if it can't be
  /// told.
  func lagMs(ofLead lead: AnalyzedSound) -> Double {
    onceLeadLagMs {
      let frames = Int(lead.signal.durationSeconds / Self.hopSeconds)
      let f0Hz = (0..<frames).map { lead.track.f0Hz(atSeconds: Double($0) * Self.hopSeconds) ?? 0 }
      let sung = PitchTrack(hopSeconds: Self.hopSeconds, f0Hz: f0Hz)
      let heard = MixedVoices(in: lead.finite, around: [sung]).track(ofVoice: 0)
      return (try? ContourLag(of: heard, behind: sung))?.lagMs ?? 0
    }
  }
}
