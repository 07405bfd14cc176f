import Analyzer
import Corpus
import DSP
import Metrics
import Music
import Platform
import Singer
import Subjects

/// A point as a sound: the singer's recording with its exact truth, what the subject receives, and
/// the resolved score.
package struct SungPoint: Sendable {
  let point: HuntPoint
  let performance: Performance
  let recording: Recording
  package let score: ResolvedScore
  /// The subject's input.
  package let input: Signal

  /// - Throws: `SingerError` for a point that nobody can sing.
  package init(_ point: HuntPoint) throws {
    self.point = point
    performance = point.performance()
    let voice = try performance.render(sampleRateHz: HuntPoint.sampleRateHz)
    var annotations = Annotations()
    annotations.phones = voice.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }
    annotations.notes = voice.truth.notes.map {
      SungNote(onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, f0Hz: $0.f0Hz)
    }
    recording = Recording(
      entry: ManifestEntry(
        id: "hunt", source: "synthetic singer", licence: "CC0-1.0", voice: point.voice.name,
        kind: "sung", shows: "hunted"),
      signal: voice.signal, digest: "hunt", truth: PitchTrack(of: voice.truth),
      annotations: annotations)
    score = ResolvedScore(point.score(), lead: PitchTrack(of: voice.truth))
    input = point.conditions.reduce(voice.signal) { $1.applied(to: $0) }
  }

  /// The class of recordings to which it belongs, for the grades of metrics.
  var kind: RecordingClass {
    var kind = RecordingClass(of: recording, under: .clean, lead: score.lead)
    for condition in point.conditions { kind = kind.under(condition) }
    return kind
  }

  /// The ideal rendering: the same singer at the targets.
  func ideal() throws -> (oracle: Oracle, rendering: Rendering) {
    let oracle = try Oracle(performance, score, sampleRateHz: HuntPoint.sampleRateHz)
    var mix = [Float](repeating: 0, count: input.count)
    let stems = oracle.stems.map { stem -> Signal in
      let samples = Array(stem.signal.samples.prefix(input.count))
      for (index, sample) in samples.enumerated() { mix[index] += sample }
      return Signal(samples, sampleRateHz: HuntPoint.sampleRateHz)
    }
    return (
      oracle,
      Rendering(
        mix: Signal(mix, sampleRateHz: HuntPoint.sampleRateHz), stems: stems, reportedLatencyMs: 0)
    )
  }

  /// Returns the request for a subject.
  func request(_ settings: SubjectSettings) -> RenderRequest {
    RenderRequest(
      signal: input, score: score, settings: settings.merging(point.settings) { $1 },
      recording: "hunt", condition: Condition.clean.canonical)
  }
}

extension HuntPoint {
  static let sampleRateHz = 48_000.0
  /// Silence before the first vowel, which holds a consonant.
  private static let leadSeconds = 0.2
  /// Silence after the last phone, in which a delayed output ends.
  private static let tailSeconds = 0.15

  /// The performance. It lasts at most 2 s.
  func performance() -> Performance {
    var singer = voice
    if let jitter = values[.jitterPercent] { singer.phonation.jitterPercent = jitter }
    if let shimmer = values[.shimmerPercent] { singer.phonation.shimmerPercent = shimmer }
    if let breath = values[.breathDb] { singer.phonation.aspirationDb = breath }
    if let shape = values[.pulseShape] { singer.phonation.pulseShape = shape }
    var phrase = Phrase(voice: singer, beatsPerMinute: 60, leadSeconds: Self.leadSeconds)
    let count = Int(number(.notes))
    for index in 0..<count {
      if index > 0, number(.pauseMs) > 0 { phrase.rest(beats: number(.pauseMs) / 1000) }
      let pitch = number(.note) + (index % 2 == 1 ? number(.leap) : 0)
      phrase.sing(semitones: pitch, beats: noteSeconds, syllable(index, of: count)) {
        form(&$0)
      }
    }
    var performance = phrase.performance(seed: UInt64(number(.seed)))
    performance.phones.append(
      TimedPhone(
        .silence, startSeconds: performance.durationSeconds - 0.1,
        durationSeconds: Self.tailSeconds))
    return performance
  }

  /// A vowel goes on over the next note unless a consonant or a pause parts them.
  private func syllable(_ index: Int, of count: Int) -> String {
    let before = self[.before].map { HuntParameter.consonants[Int($0)].rawValue } ?? ""
    let after = self[.after].map { HuntParameter.consonants[Int($0)].rawValue } ?? ""
    let isLast = index == count - 1
    let goesOn = index > 0 && before.isEmpty && number(.pauseMs) == 0
    if goesOn && (!isLast || after.isEmpty) { return "-" }
    return before + HuntParameter.vowels[Int(number(.vowel))].rawValue + (isLast ? after : "")
  }

  private func form(_ note: inout Singer.Note) {
    note.glideMs = number(.glideMs)
    note.onset = Onset.allCases[Int(number(.onset))]
    note.onsetMs = number(.onsetMs)
    if number(.bend) != 0 {
      note.bend = [
        BendPoint(at: 0, semitones: -number(.bend) / 2),
        BendPoint(at: 0.5, semitones: number(.bend) / 2),
        BendPoint(at: 1, semitones: -number(.bend) / 2),
      ]
    }
    note.vibrato = Vibrato(extentCents: number(.vibratoCents), rateHz: number(.vibratoHz))
    (note.vibrato.delayMs, note.vibrato.growMs) = (50, 100)
    if number(.swellDb) > 0 {
      note.dynamics = Dynamics(
        startDb: -number(.swellDb), peakDb: 0, endDb: -number(.swellDb), peakPosition: 0.5)
    }
  }

  /// The pitch of the first note that is asked for.
  var targetHz: Double { NoteNumber(number(.note) + number(.interval)).hz }

  /// The score that the choir is asked to sing.
  func score() -> Score {
    let interval = number(.interval)
    let intervals = [interval] + [self[.second]].compactMap(\.self)
    let notes = intervals.map { NoteNumber((number(.note) + $0).rounded()) }
    switch playing {
    case .interval: return Score(id: "hunt", intervalsSemitones: intervals)
    case .held:
      return Score(id: "hunt", .notes([NoteAction(atSeconds: 0, press: notes.uniqued())]))
    case .strum:
      let chord = notes.count > 1 ? notes : notes + [NoteNumber(notes[0].semitones + 3)]
      let presses = chord.uniqued().enumerated().map {
        NoteAction(atSeconds: Self.leadSeconds + 0.1 + 0.03 * Double($0), press: [$1])
      }
      return Score(id: "hunt", .notes(presses))
    case .pads: return Score(id: "hunt", .notes(pads(from: notes[0].semitones)))
    }
  }

  /// One voice that moves between a note and that a minor third above it.
  private func pads(from note: Double) -> [NoteAction] {
    let count = Int((sungSeconds * number(.perSecond)).rounded(.up))
    return (0..<max(1, count)).map { index in
      let now = NoteNumber(note + (index % 2 == 0 ? 0 : 3))
      let before = NoteNumber(note + (index % 2 == 0 ? 3 : 0))
      return NoteAction(
        atSeconds: index == 0 ? 0 : Self.leadSeconds + Double(index) / number(.perSecond),
        press: [now], release: index == 0 ? nil : [before])
    }
  }

  /// The conditions, in the order in which they are applied.
  var conditions: [Condition] {
    var all: [Condition] = []
    if let snrDb = self[.noiseDb] { all.append(.noise(snrDb: snrDb, colour: .pink, seed: 1)) }
    if number(.levelDb) != 0 { all.append(.level(db: number(.levelDb))) }
    return all
  }
}
