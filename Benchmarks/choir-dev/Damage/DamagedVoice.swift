import Analyzer
import DSP
import Foundation

/// A voice that damage is applied to, and the same voice sung in another way.
struct DamagedVoice {
  /// Another performance of the same voice.
  enum Retake {
    case raised(semitones: Double)
    case formantsHigher(percent: Double)
    case contourLate(ms: Double)
  }

  let sound: Signal
  /// Pitch of the lead.
  let lead: PitchTrack
  /// Delay of the voice behind the lead.
  var delayMs = 0.0
  let sungAgain: (Retake) throws -> Signal

  /// Length of the copy's delay in a doubled voice.
  private static let doublingSeconds = 0.030

  /// Returns the voice with damage. Kinds that concern the whole output leave it as it is.
  func with(_ damage: Damage, _ random: inout SeededGenerator) throws -> Signal {
    let dose = damage.dose
    switch damage.kind {
    case .detuned: return try sungAgain(.raised(semitones: dose / 100))
    case .bursts(let semitones, let ms):
      return sound.bursts(
        of: try sungAgain(.raised(semitones: semitones)), seconds: ms / 1000, share: dose,
        lead: lead, &random)
    case .lagging: return try sungAgain(.contourLate(ms: dose))
    case .missing: return sound.silenced
    case .dropped: return sound.dropped(ms: dose, lead: lead, &random)
    case .late: return sound.delayed(by: { _ in dose / 1000 })
    case .formants: return try sungAgain(.formantsHigher(percent: dose))
    case .tilted: return sound.tilted(db: -dose)
    case .clickEachSecond: return sound.clickingEachSecond(dbfs: dose, &random)
    case .clicks(areEven: true): return sound.clickingEvenly(count: Int(dose))
    case .clicks(areEven: false): return sound.clicking(count: Int(dose), &random)
    case .trembling: return sound.trembling(db: dose, &random)
    case .noisy: return sound.noisy(snrDb: dose, &random)
    case .consonantsDulled:
      return unvoiced.mixed(sound, sound.shelved(db: -dose, aboveHz: 2000))
    case .consonantsDoubled:
      return sound.added(unvoiced.only(sound).delayed(by: { _ in dose / 1000 }))
    case .smeared: return sound.smeared(ms: dose, &random)
    case .doubled:
      return sound.added(sound.delayed(by: { _ in Self.doublingSeconds }).scaled(byDb: dose))
    case .softer: return sound.scaled(byDb: -dose)
    case .swapped, .jittered, .misreported, .notANumber, .stale, .allocating, .slower:
      return sound
    }
  }

  private var unvoiced: UnvoicedGate {
    UnvoicedGate(lead, delayMs: delayMs, sampleRateHz: sound.sampleRateHz)
  }
}
