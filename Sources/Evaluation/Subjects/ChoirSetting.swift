import Analyzer
import Corpus
import Harmonizer

/// The settings of a choir by name, in plans and on the command line. They apply to all voices.
public enum ChoirSetting: String, CaseIterable, Sendable {
  case dryGain, spread, detuneCents, leadShare, consonants, gateMs, lookAheadMs
  case glideMs, scoopCents, vibratoCents, vibratoHz, vibratoDelayMs, humanizeCents, humanizeMs
  case attackMs, decayMs, sustainGain, releaseMs, velocityShare, seed

  /// Changes a choir. The choir's `validate` checks the range.
  public func set(
    _ value: SettingValue, of choir: inout Harmonizer.Settings
  ) throws(SettingError) {
    if case .consonants = self {
      guard let policy = ConsonantPolicy(rawValue: "\(value)") else {
        let names = ConsonantPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingError(description: "consonants is '\(value)'; choose \(names)")
      }
      for voice in choir.voices.indices { choir.voices[voice].consonants = policy }
      return
    }
    guard let number = value.number else {
      throw SettingError(description: "\(rawValue) is '\(value)'; write a number")
    }
    switch self {
    case .dryGain: choir.dryGain = number
    case .spread: choir.spread = number
    case .gateMs: choir.gateMs = number
    case .velocityShare: choir.velocityShare = number
    case .lookAheadMs: choir.tracking.lookAheadMs = number
    case .seed:
      guard let seed = UInt64(exactly: number) else {
        throw SettingError(description: "seed is \(value); choose a whole number from 0 up")
      }
      choir.seed = seed
    default: for voice in choir.voices.indices { set(number, of: &choir.voices[voice]) }
    }
  }

  private func set(_ number: Double, of voice: inout Harmonizer.Voice) {
    switch self {
    case .detuneCents: voice.detuneCents = number
    case .leadShare: voice.part.leadShare = number
    case .glideMs: voice.expression.glide.glideMs = number
    case .scoopCents: voice.expression.scoop.depthCents = number
    case .vibratoCents: voice.expression.vibrato.extentCents = number
    case .vibratoHz: voice.expression.vibrato.rateHz = number
    case .vibratoDelayMs: voice.expression.vibrato.onsetDelayMs = number
    case .humanizeCents: voice.expression.drift.driftCents = number
    case .humanizeMs: voice.expression.jitter.jitterMs = number
    case .attackMs: shape(&voice) { $0.attackMs = number }
    case .decayMs: shape(&voice) { $0.decayMs = number }
    case .sustainGain: shape(&voice) { $0.sustainGain = number }
    case .releaseMs: shape(&voice) { $0.releaseMs = number }
    case .dryGain, .spread, .consonants, .gateMs, .lookAheadMs, .velocityShare, .seed: break
    }
  }

  private func shape(_ voice: inout Harmonizer.Voice, _ change: (inout Envelope.Settings) -> Void) {
    var envelope = voice.envelope ?? Envelope.Settings()
    change(&envelope)
    voice.envelope = envelope
  }
}
