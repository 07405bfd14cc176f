import Analyzer
import DSP
import Metrics
import Sweep

/// Stretches in which a voice is an octave away, on a wrong note, out of tune or not heard.
enum PitchFaults {
  /// Time by which a voice may be early or late without being out of tune: more than the delay's
  /// own error in a sound of a second.
  private static let slackSeconds = 0.030
  /// Shortest stretch that counts; a tracker's window is 50 ms long.
  private static let shortestSeconds = 0.080
  private static let shortestMistunedSeconds = 0.100
  /// Shortest gap; voice.missing counts them from 30 ms on.
  private static let shortestGapSeconds = 0.040
  /// Distance from an octave up to which a slip is called one.
  private static let octaveCents = 100.0
  private static let wrongNoteCents = 200.0

  /// Returns one fault of each kind and voice, its stretches together.
  static func all(in observation: Observation, _ kinds: Set<FaultKind>) -> [HuntFault] {
    // Tracking the pitch of every voice costs most of a judgement.
    guard kinds.contains(where: \.isOfPitch) else { return [] }
    return observation.traces.flatMap { trace -> [HuntFault] in
      let voice = observation.voices[trace.voice]
      guard trace.targetHz.count(where: { $0 > 0 }) >= 20, let stem = voice.stem else { return [] }
      let lenient = lenient(trace)
      let stretches = OutOfTuneSegment.all(in: lenient, of: voice)
      let byKind = Dictionary(grouping: stretches.filter(isLong), by: kind)
      let judge = byKind.isEmpty ? nil : SecondJudge(on: stem)
      return FaultKind.allCases.compactMap { kind in
        guard kinds.contains(kind), let found = byKind[kind], let judge else { return nil }
        return fault(kind, found, of: lenient, stem, judge)
      }
    }
  }

  private static func fault(
    _ kind: FaultKind, _ found: [OutOfTuneSegment], of trace: VoiceTrace, _ stem: Signal,
    _ judge: SecondJudge
  ) -> HuntFault? {
    let worst = found[0]
    let allMs = found.reduce(0) { $0 + $1.durationSeconds } * 1000
    let amount: Double
    let words: String
    let ms = Int((worst.durationSeconds * 1000).rounded())
    switch worst.kind {
    case .missing:
      amount = allMs
      words =
        isBeginning(worst, of: trace)
        ? "the first \(ms) ms of the voice are not heard" : "the voice is not heard for \(ms) ms"
    case .offCents(let cents):
      let side = cents > 0 ? "high" : "low"
      let far = Int(abs(cents).rounded())
      amount = kind == .mistuned ? abs(cents) : allMs
      words =
        kind == .octaveSlip
        ? "the voice is an octave too \(side) for \(ms) ms"
        : "the voice is \(far) cents too \(side) for \(ms) ms"
    }
    return HuntFault(
      kind: kind, voice: worst.voice, atSeconds: worst.middleSeconds, amount: amount, words: words,
      confidence: judge.confidence(in: worst, of: trace)
        * (worst.kind == .missing ? 1 - periodicShare(worst, of: trace, stem) : 1),
      stretch: worst.startSeconds...(worst.startSeconds + worst.durationSeconds))
  }

  /// Returns true if no target stands just before a stretch.
  private static func isBeginning(_ stretch: OutOfTuneSegment, of trace: VoiceTrace) -> Bool {
    let first = Int((stretch.startSeconds / trace.hopSeconds).rounded())
    return (first - 2..<first).clamped(to: trace.targetHz.indices)
      .allSatisfy { trace.targetHz[$0] == 0 }
  }

  /// Returns the share of a stretch in which the sound repeats itself at the target's period: a voice
  /// whose harmonics are smeared, as by a vibrato in a phase vocoder, is heard nevertheless.
  private static func periodicShare(
    _ stretch: OutOfTuneSegment, of trace: VoiceTrace, _ stem: Signal
  ) -> Double {
    let first = Int((stretch.startSeconds / trace.hopSeconds).rounded())
    let frames = (first..<first + Int((stretch.durationSeconds / trace.hopSeconds).rounded()))
      .clamped(to: trace.targetHz.indices).filter { trace.targetHz[$0] > 0 }
    let periodic = frames.count { frame in
      Periodicity.correlation(
        of: stem, atSeconds: Double(frame) * trace.hopSeconds, hz: Double(trace.targetHz[frame]))
        >= minPeriodicity
    }
    return frames.isEmpty ? 0 : Double(periodic) / Double(frames.count)
  }

  /// Correlation of neighbouring periods from which a sound has a pitch.
  private static let minPeriodicity = 0.6

  private static func kind(_ stretch: OutOfTuneSegment) -> FaultKind {
    guard case .offCents(let cents) = stretch.kind else { return .dropout }
    if abs(abs(cents) - 1200) <= octaveCents { return .octaveSlip }
    return abs(cents) > wrongNoteCents ? .wrongNote : .mistuned
  }

  private static func isLong(_ stretch: OutOfTuneSegment) -> Bool {
    switch kind(stretch) {
    case .dropout: stretch.durationSeconds >= shortestGapSeconds
    case .mistuned: stretch.durationSeconds >= shortestMistunedSeconds
    default: stretch.durationSeconds >= shortestSeconds
    }
  }

  /// Returns the trace with each target moved as near to the heard pitch as the targets within the
  /// slack allow: a glide that comes a little late is late, not out of tune.
  private static func lenient(_ trace: VoiceTrace) -> VoiceTrace {
    var lenient = trace
    let reach = Int((slackSeconds / trace.hopSeconds).rounded())
    for frame in trace.targetHz.indices where trace.targetHz[frame] > 0 {
      guard frame < trace.measuredHz.count, trace.measuredHz[frame] > 0 else { continue }
      let near = trace.targetHz[
        max(0, frame - reach)..<min(trace.targetHz.count, frame + reach + 1)
      ]
      .filter { $0 > 0 }
      lenient.targetHz[frame] = min(max(trace.measuredHz[frame], near.min()!), near.max()!)
    }
    return lenient
  }
}
