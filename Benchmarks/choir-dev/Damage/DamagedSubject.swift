import Corpus
import DSP
import Foundation
import Platform
import Probes
import Subjects
import Synchronization

/// A subject with one fault of a known size and nothing else changed.
///
/// Another pitch or vocal tract is rendered by the subject itself, and one voice of that rendering
/// replaces the right one. All other damage is applied to the output. Formants are moved by the
/// subject's own setting, so their shift is as accurate as that setting.
struct DamagedSubject: LiveSubject {
  let source: any LiveSubject
  let damage: Damage
  let place: Damage.Place
  /// Seed for random instants.
  let seed: UInt64
  /// True after a rendering in which a random fault happened not to occur.
  var isIntact: Bool { change.isNone }
  private let change = Change()

  init(source: any LiveSubject, damage: Damage, place: Damage.Place, seed: UInt64) {
    (self.source, self.damage, self.place, self.seed) = (source, damage, place, seed)
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
  var version: String { "\(source.version)+\(damage) \(place) \(seed)" }

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
    let wrong = try damaged(right, signal, score: score, settings: settings)
    change.note(wrong, from: right)
    return wrong
  }

  private func damaged(
    _ right: Rendering, _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    guard !signal.samples.isEmpty else { return right }
    var random = SeededGenerator(seed: seed)
    switch damage.kind {
    case .late: return right.mapped { $0.delayed(by: { _ in damage.dose / 1000 }) }
    case .jittered:
      let delay = WanderingDelay(
        deviationSeconds: damage.dose / 1000, seconds: signal.durationSeconds, &random)
      return right.mapped { $0.delayed(by: delay.value(atSeconds:)) }
    case .notANumber:
      var silence = SilenceCounter(seconds: damage.dose, sampleRateHz: signal.sampleRateHz)
      let bad = signal.samples.map { silence.isOver(after: $0) }
      return right.mapped { sound in
        Signal(zip(sound.samples, bad).map { $1 ? .nan : $0 }, sampleRateHz: sound.sampleRateHz)
      }
    case .misreported:
      var wrong = right
      let ms = damage.dose / signal.sampleRateHz * 1000
      wrong.reportedLatencyMs = right.reportedLatencyMs.map { $0 + ms }
      return wrong
    case .swapped:
      guard case .voices(let one, let two) = place else { return right }
      return right.with(place) { _, voice in right.stems[voice == one ? two : one] }
    case .stale, .allocating, .slower: return right
    default:
      return try right.with(place) { stem, voice in
        let right = DamagedVoice(
          sound: stem, lead: score.lead, delayMs: right.reportedLatencyMs ?? 0
        ) { try again($0, signal, score: score, settings: settings).stems[voice] }
        return try right.with(damage, &random)
      }
    }
  }

  /// Renders with all voices sung in another way.
  private func again(
    _ retake: DamagedVoice.Retake, _ signal: Signal, score: ResolvedScore,
    settings: SubjectSettings
  ) throws -> Rendering {
    switch retake {
    case .raised(let semitones):
      return try source.render(
        signal, score: score.raised(bySemitones: semitones), settings: settings)
    case .formantsHigher(let percent):
      var moved = settings
      let semitones = 12 * log2(1 + percent / 100)
      moved[Self.formantSetting] = .number((settings[Self.formantSetting]?.number ?? 0) + semitones)
      return try source.render(signal, score: score, settings: moved)
    case .contourLate:
      throw Refusal(source.id, "can't be given a late contour; the synthetic singer can")
    }
  }

  func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    let sound = try source.start(score, settings: settings, sampleRateHz: sampleRateHz)
    return switch damage.kind {
    case .notANumber:
      BrokenSound(sound, SilenceCounter(seconds: damage.dose, sampleRateHz: sampleRateHz))
    case .stale: StaleSound(sound)
    case .misreported: LateSound(sound, more: Int(damage.dose))
    case .allocating: AllocatingSound(sound)
    default: sound
    }
  }
}

extension ResolvedScore {
  /// Returns the score with all targets raised; it must consist of intervals.
  func raised(bySemitones semitones: Double) throws -> ResolvedScore {
    guard case .intervals(let intervals) = score.form else {
      throw Refusal(score.id, "has notes; only scores of intervals can be detuned")
    }
    return ResolvedScore(
      Score(id: score.id, title: score.title, .intervals(intervals.map { $0 + semitones })),
      lead: lead)
  }
}

extension Rendering {
  /// Replaces the voices at `place`; the mix changes by their difference.
  fileprivate func with(
    _ place: Damage.Place, _ change: (Signal, Int) throws -> Signal
  ) rethrows -> Rendering {
    var changed = self
    for voice in stems.indices where place.voices?.contains(voice) ?? true {
      let other = try change(stems[voice], voice)
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
