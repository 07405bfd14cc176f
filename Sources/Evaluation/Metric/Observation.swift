import Analyzer
import DSP
import Foundation

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
  /// Each voice against the same singer at the target pitch; `nil` where there is no such singer.
  public let intelligibility: [Result<Intelligibility, Intelligibility.Failure>]?

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

  init(
    _ recording: Recording, score: ResolvedScore, rendering: Rendering, heard: Signal? = nil,
    jury: JuryTruth? = nil, oracle: Oracle? = nil
  ) {
    let heard = heard ?? recording.signal
    self.recording = recording
    self.heard = heard
    self.jury = jury
    self.score = score
    self.rendering = rendering
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
    intelligibility = oracle.map { oracle in
      zip(rendering.stems, oracle.stems).map { stem, ideal in
        Self.intelligibility(of: stem, against: ideal.signal, delaySeconds: delay.seconds)
      }
    }
  }

  /// Of a voice brought back by its delay, on the time of the oracle.
  private static func intelligibility(
    of stem: Signal, against ideal: Signal, delaySeconds: Double
  ) -> Result<Intelligibility, Intelligibility.Failure> {
    let late = max(0, Int((delaySeconds * stem.sampleRateHz).rounded()))
    let count = max(0, min(stem.count - late, ideal.count))
    let aligned = Signal(
      Array(stem.samples.dropFirst(late).prefix(count)), sampleRateHz: stem.sampleRateHz)
    let reference = Signal(Array(ideal.samples.prefix(count)), sampleRateHz: ideal.sampleRateHz)
    return Result { () throws(Intelligibility.Failure) in
      try Intelligibility(of: aligned, against: reference)
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
  public let stem: Signal
  /// What it should sing, on the frames of `heard`, by the score. 0 where the lead or the voice is
  /// silent, and within 30 ms of a change of the target, where the judges' windows hold two notes.
  public let target: PitchTrack
  /// What the tracker hears.
  public let heard: PitchTrack
  /// What the second judge hears, on every fourth frame.
  public let judged: PitchTrack

  private static let settledSeconds = 0.030

  init(_ stem: Signal, voice: Int, of score: ResolvedScore, delaySeconds: Double) {
    self.stem = stem
    let tracker = PitchTracker.ofVoices
    heard = tracker.track(stem)
    let range = 60.0...1200  // the domain of the pitch metrics
    let hop = heard.hopSeconds
    let wanted = heard.f0Hz.indices.map { frame -> Double in
      let hz =
        score.targetHz(
          ofVoice: voice, atSeconds: Double(frame) * hop, delaySeconds: delaySeconds,
          settledSeconds: Self.settledSeconds) ?? 0
      return range.contains(hz) ? hz : 0
    }
    target = PitchTrack(hopSeconds: hop, f0Hz: wanted, voicing: wanted.map { $0 > 0 ? 1 : 0 })
    judged = HarmonicFit(of: stem).track(around: target, every: 4)
  }

  /// Errors in cents where both the target and `track` have a pitch.
  func errorsCents(of track: PitchTrack) -> [Double] {
    zip(track.f0Hz, target.f0Hz).compactMap { heard, wanted in
      heard > 0 && wanted > 0 ? cents(heard, over: wanted) : nil
    }
  }
}

extension PitchTracker {
  /// The judge's own tracker, at its default settings.
  static let standard = try! PitchTracker()

  /// For voices that may sing up to the edge of the domain: their vibrato must not meet the edge of
  /// the tracker, which would take it for an octave below.
  static let ofVoices: PitchTracker = {
    var settings = Settings()
    settings.ceilingHz = 1600
    return try! PitchTracker(settings)
  }()
}
