import Analyzer
import Corpus
import DSP
import Foundation
import Music
import Singer
import Subjects

/// The ideal harmony: the same synthetic singer with the same vocal tract, at the same time, at the
/// target pitch.
///
/// It makes measures that need a reference of equal pitch valid for transposed voices. Stems have
/// no delay against the input.
///
/// - Interval: the performance transposed by it.
/// - Degree of a key, or lead map: the exact pitch of the lead times the present interval, without
///   the lead's cycle-to-cycle jitter.
/// - Note: exactly that note with its bend, without vibrato or jitter; silent where the voice is,
///   with the reference harmonizer's ramps of 5 ms.
public struct Oracle: Sendable {
  /// One voice: its sound and its exact truth.
  public struct Stem: Sendable {
    public var signal: Signal
    /// Truth of the singer; f0 is 0 where the score silences the voice. The glottal phase, which
    /// would take as much memory as all else, is left out.
    public var truth: Truth
  }

  public let stems: [Stem]
  /// The stems with their analysis and exact pitch.
  let sounds: [AnalyzedSound]
  /// The sum of the stems.
  package let mix: AnalyzedSound

  /// - Parameter score: score resolved with this performance as the lead.
  public init(
    _ performance: Performance, _ score: ResolvedScore, sampleRateHz: Double = 48_000
  ) throws(SingerError) {
    // Degrees need the lead's pitch at a finer resolution than that of a track.
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
    var sum = [Float](repeating: 0, count: stems.map(\.signal.count).max() ?? 0)
    for stem in stems {
      for (i, sample) in stem.signal.samples.enumerated() { sum[i] += sample }
    }
    mix = AnalyzedSound(Signal(sum, sampleRateHz: sampleRateHz))
  }

  /// Returns the performance behind a synthetic recording; `nil` for any other.
  public static func performance(behind entry: ManifestEntry) -> Performance? {
    entry.syntheticName.flatMap { try? Songbook.performance(id: $0) }
  }
}

extension ResolvedScore {
  fileprivate var needsLeadLine: Bool {
    switch score.form {
    case .degrees, .map: true
    case .intervals, .tuned, .chords, .progression, .pads, .notes, .sequence, .midi: false
    }
  }
}

extension Performance {
  /// Returns the performance at the targets of one voice.
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

  /// Returns the lead's pitch in steps of 1 ms, raised by the present interval. It glides within
  /// steps and jumps where the interval changes.
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
          pitchSemitones: NoteNumber(hz: lead.f0Hz[sample]).semitones + interval, glideMs: 1))
    }
    return targets
  }
}

extension Oracle.Stem {
  fileprivate init(_ rendering: SynthesizedVoice, silentOutside segments: [ResolvedScore.Segment]) {
    (signal, truth) = (rendering.signal, rendering.truth)
    truth.phaseCycles = []
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
