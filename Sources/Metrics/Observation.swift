import Analyzer
import Corpus
import DSP
import Foundation
import Subjects

/// A rendering beside what it was made of, and what the analyzers heard in both: all that metrics
/// look at.
public struct Observation: Sendable {
  public let recording: Recording
  public let score: ResolvedScore
  public let rendering: Rendering
  /// The lead's pitch: exact where the recording was made from it, the jury's otherwise.
  public var lead: PitchTrack { score.lead }
  /// What the subject heard: the recording through a condition.
  public let heard: Signal
  /// How sure the lead's pitch is; `nil` where it is exact.
  public let jury: JuryTruth?
  /// How much later the output is, and how that is known.
  public let delay: Delay
  /// One for each voice.
  public let voices: [VoiceObservation]
  /// What a perfect subject would have made of the recording; `nil` where nobody knows.
  public let oracle: Oracle?
  /// What the subject heard, analyzed.
  let leadSound: AnalyzedSound
  /// What the subject does on an audio thread; tried on probes only.
  let contract: Result<LiveContract, LiveContract.Untried>?
  /// The voices that metrics are to judge; all of them unless given.
  let judged: Set<Int>?
  let subject: String
  let settings: SubjectSettings
  let memo = Memo()

  public enum Delay: Equatable, Sendable {
    case measured(OnsetDelay)
    /// The sound has no onsets to measure by; this is what the subject says.
    case reported(ms: Double, because: String)

    public var seconds: Double {
      switch self {
      case .measured(let onset): onset.delayMs / 1000
      case .reported(let ms, _): ms / 1000
      }
    }
  }

  /// Of a probe only delays can be measured: it has no voice.
  public var isProbe: Bool { recording.entry.kind == "probe" }

  /// - Parameters:
  ///   - leadSound: what the subject heard, if it was analyzed before.
  ///   - subject: that made the rendering, with its settings: some of them have laws.
  package init(
    _ recording: Recording, score: ResolvedScore, rendering: Rendering, heard: Signal? = nil,
    jury: JuryTruth? = nil, oracle: Oracle? = nil, leadSound: AnalyzedSound? = nil,
    contract: Result<LiveContract, LiveContract.Untried>? = nil, judging judged: Set<Int>? = nil,
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
      ? .reported(ms: rendering.reportedLatencyMs ?? 0, because: "impulses have no loudness curve")
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
      return .reported(ms: rendering.reportedLatencyMs ?? 0, because: "\(error)")
    }
  }
}

/// One voice against what it should sing.
public struct VoiceObservation: Sendable {
  public var stem: Signal { sound.signal }
  let sound: AnalyzedSound
  /// On the frames of `heard`; 0 where it should have none, or one that judges don't hear well: near
  /// a change of the note, and outside of 60 to 1200 Hz.
  public let target: PitchTrack
  /// The same with all that is near a change.
  let wanted: PitchTrack
  /// Changes of the voice's note.
  let steps: [PitchStep]
  /// What the tracker hears.
  public var heard: PitchTrack { sound.track }
  let memo = Memo()

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

  /// What the second judge hears, on every fourth frame.
  public var judged: PitchTrack {
    memo("judge") { HarmonicFit(of: stem).track(around: target, every: 4) }
  }

  /// Errors in cents where both the target and `track` have a pitch.
  func errorsCents(of track: PitchTrack) -> [Double] {
    zip(track.f0Hz, target.f0Hz).compactMap { heard, wanted in
      heard > 0 && wanted > 0 ? cents(heard, over: wanted) : nil
    }
  }
}
