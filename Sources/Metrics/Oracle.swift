import Analyzer
import Corpus
import DSP
import Foundation
import Music
import Singer
import Subjects

/// The ideal harmony: the same singer, at the same moment, with the same mouth, at the target
/// pitch.
///
/// What a harmonizer's voice would be if transposing cost nothing: with it, measures that need a
/// reference hold under pitch shift. Stems lie on the time of the input, without any delay.
///
/// - An interval: the performance transposed by it.
/// - A degree of a key, or what a map says: the exact pitch of the lead, times the interval of the moment; without the
///   lead's cycle-to-cycle jitter.
/// - A note: that note to the digit, with its bend, without vibrato or jitter; silent where the voice is, with
///   the ramps of 5 ms that the reference harmonizer has.
public struct Oracle: Sendable {
  /// One voice: its sound, and all that is known of it.
  public struct Stem: Sendable {
    public var signal: Signal
    /// Of the singer before any silence of the score; f0 is 0 in that silence.
    public var truth: Truth
  }

  public let stems: [Stem]
  /// The stems, analyzed, with their exact pitch.
  let sounds: [AnalyzedSound]

  /// - Parameter score: resolved against this very performance.
  public init(
    _ performance: Performance, _ score: ResolvedScore, sampleRateHz: Double = 48_000
  ) throws(SingerError) {
    // Degrees need the lead's pitch more finely than a track has it.
    let leadHz =
      score.needsLeadLine ? try performance.render(sampleRateHz: sampleRateHz).truth : nil
    var stems: [Stem] = []
    for segments in score.voices {
      let sung = performance.sung(segments, leadHz)
      let rendering = try sung.render(sampleRateHz: sampleRateHz)
      stems.append(Stem(rendering, silentOutside: segments))
    }
    self.stems = stems
    sounds = stems.map { AnalyzedSound($0.signal, track: PitchTrack(of: $0.truth)) }
  }

  /// The performance behind a synthetic recording; `nil` for any other.
  public static func performance(behind entry: ManifestEntry) -> Performance? {
    entry.syntheticName.flatMap { try? Songbook.performance(id: $0) }
  }
}

extension ResolvedScore {
  fileprivate var needsLeadLine: Bool {
    switch score.form {
    case .degrees, .map: true
    case .intervals, .tuned, .chords, .pads, .notes, .midi: false
    }
  }
}

extension Performance {
  /// The performance at the targets of one voice.
  fileprivate func sung(_ segments: [ResolvedScore.Segment], _ lead: Truth?) -> Performance {
    if let lead { return sung(at: Self.line(along: lead, segments), keepingExpression: false) }
    if case .interval(let semitones)? = segments.first?.target {
      return transposed(bySemitones: semitones)
    }
    let targets = segments.flatMap { segment -> [PitchTarget] in
      guard case .note(let note) = segment.target else { return [] }
      let isBentAtOnce = segment.bends.first?.atSeconds == segment.startSeconds
      let bends = (isBentAtOnce ? [] : [PitchBend(atSeconds: segment.startSeconds, semitones: 0)])
      return (bends + segment.bends).map {
        PitchTarget(
          startSeconds: $0.atSeconds,
          pitchSemitones: min(max(note.semitones + $0.semitones, 0), 120))
      }
    }
    return sung(at: targets, keepingExpression: false)
  }

  /// The lead's pitch, a millisecond at a time, raised by the interval of the moment. The pitch
  /// goes on from step to step, and at once where the interval changes.
  private static func line(
    along lead: Truth, _ segments: [ResolvedScore.Segment]
  ) -> [PitchTarget] {
    var targets: [PitchTarget] = []
    var place = 0
    let step = Int((lead.sampleRateHz / 1000).rounded())
    for sample in stride(from: 0, to: lead.f0Hz.count, by: step) where lead.f0Hz[sample] > 0 {
      let now = Double(sample) / lead.sampleRateHz
      while place + 1 < segments.count, segments[place].endSeconds <= now { place += 1 }
      guard place < segments.count, case .interval(let interval) = segments[place].target
      else { continue }
      targets.append(
        PitchTarget(
          startSeconds: now,
          pitchSemitones: Pitch.semitones(hz: lead.f0Hz[sample]) + interval, glideMs: 1))
    }
    return targets
  }
}

extension Oracle.Stem {
  fileprivate init(_ rendering: Singer.Rendering, silentOutside segments: [ResolvedScore.Segment]) {
    (signal, truth) = (rendering.signal, rendering.truth)
    let rate = signal.sampleRateHz
    let step = Float(1 / (VoiceCues.rampSeconds * rate).rounded())
    var (gain, place): (Float, Int) = (segments.first?.startSeconds == 0 ? 1 : 0, 0)
    for i in signal.samples.indices {
      let now = Double(i) / rate
      while place < segments.count, segments[place].endSeconds <= now { place += 1 }
      let sounds = place < segments.count && segments[place].startSeconds <= now
      gain = sounds ? min(1, gain + step) : max(0, gain - step)
      signal.samples[i] *= gain
      if !sounds { truth.f0Hz[i] = 0 }
    }
  }
}
