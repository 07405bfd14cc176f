import Corpus
import DSP
import Foundation
import Subjects
import Synchronization

/// A subject with one fault of a known size and nothing else changed.
///
/// Another pitch or vocal tract is rendered by the subject itself, and one voice of that rendering
/// replaces the right one. All other faults are applied to the output. Formants are moved by the
/// subject's own setting, so their shift is as accurate as that setting.
struct DefectiveSubject: LiveSubject {
  let source: any LiveSubject
  let defect: Defect.Kind
  let place: Defect.Place
  /// Seed for random instants.
  let seed: UInt64
  /// True after a rendering in which a random fault happened not to occur.
  var isIntact: Bool { change.isNone }
  private let change = Change()

  init(source: any LiveSubject, defect: Defect.Kind, place: Defect.Place, seed: UInt64) {
    (self.source, self.defect, self.place, self.seed) = (source, defect, place, seed)
  }

  /// A note whether the last rendering changed any sample.
  private final class Change: Sendable {
    private let none = Atomic<Bool>(false)

    var isNone: Bool { none.load(ordering: .relaxed) }

    func note(_ wrong: Rendering, from right: Rendering) {
      none.store(wrong.mix == right.mix && wrong.stems == right.stems, ordering: .relaxed)
    }
  }

  /// The setting that moves the formants of all voices.
  static let formantSetting = "formantShiftSemitones"

  var id: String { source.id }
  var version: String { "\(source.version)+\(defect) \(place) \(seed)" }

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  func settingNames(beside settings: SubjectSettings) -> [String]? {
    source.settingNames(beside: settings)
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let right = try source.render(signal, score: score, settings: settings)
    let wrong = try self.wrong(right, signal, score: score, settings: settings)
    change.note(wrong, from: right)
    return wrong
  }

  private func wrong(
    _ right: Rendering, _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    guard !signal.samples.isEmpty else { return right }
    var random = SeededGenerator(seed: seed)
    let unvoiced = UnvoicedGate(
      score.lead, delayMs: right.reportedLatencyMs ?? 0, sampleRateHz: signal.sampleRateHz)
    switch defect {
    case .detuned(let cents):
      let other = try source.render(
        signal, score: score.raised(bySemitones: cents / 100), settings: settings)
      return right.with(place) { _, voice in other.stems[voice] }
    case .octaveErrors(let share, let burstMs):
      let other = try source.render(
        signal, score: score.raised(bySemitones: 12), settings: settings)
      return right.with(place) { stem, voice in
        stem.bursts(
          of: other.stems[voice], seconds: burstMs / 1000, share: share, lead: score.lead, &random)
      }
    case .formantsMoved(let percent):
      var moved = settings
      let semitones = 12 * log2(1 + percent / 100)
      moved[Self.formantSetting] = .number(
        (settings[Self.formantSetting]?.number ?? 0) + semitones)
      let other = try source.render(signal, score: score, settings: moved)
      return right.with(place) { _, voice in other.stems[voice] }
    case .swapped:
      guard case .voices(let one, let two) = place else { return right }
      return right.with(place) { _, voice in right.stems[voice == one ? two : one] }
    case .dropped(let ms):
      return right.with(place) { stem, _ in stem.dropped(ms: ms, lead: score.lead, &random) }
    case .missing: return right.with(place) { stem, _ in stem.silenced }
    case .delayed(let ms): return right.mapped { $0.delayed(by: { _ in ms / 1000 }) }
    case .jittered(let ms):
      let wander = Wander(deviationSeconds: ms / 1000, seconds: signal.durationSeconds, &random)
      return right.mapped { $0.delayed(by: wander.value(atSeconds:)) }
    case .tilted(let db): return right.with(place) { stem, _ in stem.tilted(db: db) }
    case .clicking(let dbfs):
      return right.with(place) { stem, _ in stem.clicking(dbfs: dbfs, &random) }
    case .trembling(let db):
      return right.with(place) { stem, _ in stem.trembling(db: db, &random) }
    case .consonantsDulled(let db):
      return right.with(place) { stem, _ in
        unvoiced.mixed(stem, stem.shelved(db: db, aboveHz: 2000))
      }
    case .consonantsDoubled(let ms):
      return right.with(place) { stem, _ in
        stem.added(unvoiced.only(stem).delayed(by: { _ in ms / 1000 }))
      }
    case .notANumber(let seconds):
      var silence = SilenceCounter(seconds: seconds, sampleRateHz: signal.sampleRateHz)
      let bad = signal.samples.map { silence.isOver(after: $0) }
      return right.mapped { sound in
        Signal(
          zip(sound.samples, bad).map { $1 ? .nan : $0 }, sampleRateHz: sound.sampleRateHz)
      }
    case .misreported(let samples):
      var wrong = right
      let ms = Double(samples) / signal.sampleRateHz * 1000
      wrong.reportedLatencyMs = right.reportedLatencyMs.map { $0 + ms }
      return wrong
    case .stale, .allocating: return right
    }
  }

  func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    let sound = try source.start(score, settings: settings, sampleRateHz: sampleRateHz)
    return switch defect {
    case .notANumber(let seconds):
      BrokenSound(sound, SilenceCounter(seconds: seconds, sampleRateHz: sampleRateHz))
    case .stale: StaleSound(sound)
    case .misreported(let samples): LateSound(sound, more: samples)
    case .allocating: AllocatingSound(sound)
    default: sound
    }
  }
}

extension ResolvedScore {
  /// Returns the score with all targets raised; it must consist of intervals.
  fileprivate func raised(bySemitones semitones: Double) throws -> ResolvedScore {
    guard case .intervals(let intervals) = score.form else {
      throw SubjectError.settings(
        subject: "the selftest", problem: "can detune scores of intervals only")
    }
    return ResolvedScore(
      Score(id: score.id, title: score.title, .intervals(intervals.map { $0 + semitones })),
      lead: lead)
  }
}

extension Rendering {
  /// Replaces the voices at `place`; the mix changes by their difference.
  fileprivate func with(
    _ place: Defect.Place, _ change: (Signal, Int) -> Signal
  ) -> Rendering {
    var changed = self
    for voice in stems.indices where place.voices?.contains(voice) ?? true {
      let other = change(stems[voice], voice)
      changed.stems[voice] = other
      for i in mix.samples.indices {
        changed.mix.samples[i] += other.samples[i] - stems[voice].samples[i]
      }
    }
    return changed
  }

  /// Applies a change to the mix and to every stem.
  fileprivate func mapped(_ change: (Signal) -> Signal) -> Rendering {
    var changed = self
    changed.mix = change(mix)
    changed.stems = stems.map(change)
    return changed
  }
}
