import Corpus
import Foundation
import Music
import Platform

extension HuntPoint {
  /// The differences of the sound from plain, in words: `bass, E2, [i], at -12 semitones`.
  public var words: String {
    let own = away.map { $0.words(values[$0]!) }
    let chosen = settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let all = own + chosen
    return all.isEmpty ? "a plain vowel" : all.joined(separator: ", ")
  }
}

extension HuntParameter {
  /// The name of a choice, or the number as a recipe has it.
  func setting(_ value: Double) -> SettingValue {
    switch domain {
    case .choice(let names): .text(names[Int(value)])
    case .number: .number(value)
    }
  }

  /// A value in words.
  func words(_ value: Double) -> String {
    let text = "\(setting(value))"
    let signed = value > 0 ? "+\(text)" : text
    return switch self {
    case .voice: text
    case .note: NoteNumber(value).name()
    case .seconds: "notes of \(text) s"
    case .notes: "\(text) notes"
    case .leap: "\(signed) semitones apart"
    case .glideMs: "glides of \(text) ms"
    case .pauseMs: "pauses of \(text) ms"
    case .vowel: "[\(text)]"
    case .before: "[\(text)] before it"
    case .after: "[\(text)] after it"
    case .onset: "\(text) onset"
    case .onsetMs: "onset of \(text) ms"
    case .bend: "bent by \(signed) semitones"
    case .vibratoCents: "vibrato of \(text) cents"
    case .vibratoHz: "vibrato at \(text) Hz"
    case .swellDb: "swelling by \(text) dB"
    case .jitterPercent: "jitter \(text) %"
    case .shimmerPercent: "shimmer \(text) %"
    case .breathDb: "breath at \(text) dB"
    case .pulseShape: "pulse shape \(text)"
    case .seed: "chance \(text)"
    case .levelDb: "level \(signed) dB"
    case .noiseDb: "noise \(text) dB below the voice"
    case .interval: "choir at \(signed) semitones"
    case .second: "second voice at \(signed)"
    case .playing: Playing(rawValue: text)?.words ?? text
    case .perSecond: "\(text) pads per second"
    }
  }
}

extension HuntParameter.Playing {
  fileprivate var words: String {
    switch self {
    case .interval: "choir following the lead"
    case .held: "choir on held notes"
    case .strum: "choir strummed"
    case .pads: "choir on pads"
    }
  }
}
