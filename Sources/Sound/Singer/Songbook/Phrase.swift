import Foundation
import Music

/// Builds a line of music from notes and syllables in order.
///
/// A syllable is written in phones, one character each: consonants, vowels, consonants. Its vowel
/// begins on the beat, as singers place it; the consonants before it take their time from the note
/// before. The syllable `-` continues the vowel on a new note, or sings it again after a rest.
public struct Phrase: Sendable {
  private struct Syllable {
    var onset: [Phone] = []
    var nucleus: [Phone] = []
    var coda: [Phone] = []
    var startSeconds: Double
    var endSeconds: Double
  }

  private let voice: Voice
  private let secondsPerBeat: Double
  private var nowSeconds: Double
  private var notes: [Note] = []
  private var syllables: [Syllable] = []
  private var breaths: [TimedPhone] = []

  /// - Parameter leadSeconds: silence before the first beat, which leaves time for its consonants.
  public init(voice: Voice, beatsPerMinute: Double = 90, leadSeconds: Double = 0.3) {
    self.voice = voice
    secondsPerBeat = 60 / beatsPerMinute
    nowSeconds = leadSeconds
  }

  /// Appends one note.
  ///
  /// - Parameters:
  ///   - pitch: a name such as `C4` or `F#3`.
  ///   - manner: changes the note's default manner of singing.
  public mutating func sing(
    _ pitch: String, beats: Double = 1, _ syllable: String,
    manner: (inout Note) -> Void = { _ in }
  ) {
    guard let semitones = try? NoteNumber(named: pitch).semitones else {
      preconditionFailure("\(pitch) is not a note name such as C4 or F#3")
    }
    sing(semitones: semitones, beats: beats, syllable, manner: manner)
  }

  /// Appends one note, given by its number.
  public mutating func sing(
    semitones: Double, beats: Double = 1, _ syllable: String,
    manner: (inout Note) -> Void = { _ in }
  ) {
    let seconds = beats * secondsPerBeat
    var note = Note(startSeconds: nowSeconds, durationSeconds: seconds, pitchSemitones: semitones)
    note.lyric = syllable
    manner(&note)
    notes.append(note)
    nowSeconds += seconds
    if syllable == "-", let last = syllables.last {
      if last.endSeconds == note.startSeconds {
        syllables[syllables.count - 1].endSeconds = nowSeconds
      } else {
        syllables.append(
          Syllable(
            nucleus: last.nucleus, startSeconds: note.startSeconds, endSeconds: nowSeconds))
      }
    } else {
      syllables.append(Self.parse(syllable, from: note.startSeconds, to: nowSeconds))
    }
  }

  /// Appends silence.
  public mutating func rest(beats: Double = 1) { nowSeconds += beats * secondsPerBeat }

  /// Appends silence that ends with a breath.
  public mutating func breathe(beats: Double = 1) {
    let seconds = beats * secondsPerBeat
    let length = min(0.35, 0.6 * seconds)
    let start = nowSeconds + seconds - length - min(0.15, 0.25 * seconds)
    breaths.append(TimedPhone(.breath, startSeconds: start, durationSeconds: length))
    nowSeconds += seconds
  }

  public func performance(seed: UInt64 = 1) -> Performance {
    var phones: [TimedPhone] = []
    for (index, syllable) in syllables.enumerated() {
      let previous = index > 0 ? syllables[index - 1] : nil
      let connected = previous.map { syllable.startSeconds - $0.endSeconds < 0.02 } ?? false
      place(syllable, connected: connected, in: &phones)
    }
    phones = (phones + breaths).sorted { $0.startSeconds < $1.startSeconds }
    for i in phones.indices.dropLast() {
      let room = phones[i + 1].startSeconds - phones[i].startSeconds
      phones[i].durationSeconds = min(phones[i].durationSeconds, room)
    }
    return Performance(voice: voice, notes: notes, phones: phones, seed: seed)
  }

  /// Places the phones of a syllable, with its onset before the beat.
  private func place(_ syllable: Syllable, connected: Bool, in phones: inout [TimedPhone]) {
    var room = 0.4  // maximum length of the consonants before the beat
    if connected, let last = phones.last {
      room = 0.6 * (syllable.startSeconds - last.startSeconds)
    } else if let last = phones.last {
      room = max(0.02, min(room, syllable.startSeconds - last.endSeconds))
    } else {
      room = min(room, syllable.startSeconds)
    }
    let wanted = syllable.onset.map(\.defaultSeconds)
    let squeeze = min(1, room / max(wanted.reduce(0, +), 1e-9))
    var time = syllable.startSeconds - wanted.reduce(0, +) * squeeze
    if connected, let last = phones.indices.last {
      phones[last].durationSeconds = time - phones[last].startSeconds
    }
    for (phone, seconds) in zip(syllable.onset, wanted) {
      phones.append(TimedPhone(phone, startSeconds: time, durationSeconds: seconds * squeeze))
      time += seconds * squeeze
    }

    let length = syllable.endSeconds - syllable.startSeconds
    let codaWanted = syllable.coda.map(\.defaultSeconds)
    let codaSqueeze = min(1, 0.4 * length / max(codaWanted.reduce(0, +), 1e-9))
    let vowels = length - codaWanted.reduce(0, +) * codaSqueeze
    time = syllable.startSeconds
    for (index, phone) in syllable.nucleus.enumerated() {
      // The first of several vowels is held; the others are short glides at the end.
      let others = syllable.nucleus.count - 1
      let tail = others == 0 ? 0 : min(0.18, 0.4 * vowels / Double(others))
      let seconds = index == 0 ? vowels - tail * Double(others) : tail
      phones.append(TimedPhone(phone, startSeconds: time, durationSeconds: seconds))
      time += seconds
    }
    for (phone, seconds) in zip(syllable.coda, codaWanted) {
      phones.append(TimedPhone(phone, startSeconds: time, durationSeconds: seconds * codaSqueeze))
      time += seconds * codaSqueeze
    }
  }

  /// Splits a syllable at its vowels; without vowels the first phone is held.
  private static func parse(_ text: String, from start: Double, to end: Double) -> Syllable {
    guard var phones = Phone.spelled(text), !phones.isEmpty else {
      preconditionFailure("\(text) is not a syllable of the singer's phones")
    }
    var syllable = Syllable(startSeconds: start, endSeconds: end)
    if let first = phones.firstIndex(where: { $0.manner == .vowel }) {
      syllable.onset = Array(phones[..<first])
      phones.removeFirst(first)
    }
    let vowels = max(phones.prefix { $0.manner == .vowel }.count, 1)
    syllable.nucleus = Array(phones.prefix(vowels))
    syllable.coda = Array(phones.dropFirst(vowels))
    return syllable
  }
}

extension Phone {
  /// Duration of a phone in unhurried singing.
  fileprivate var defaultSeconds: Double {
    switch manner {
    case .vowel: 0.2
    case .nasal: 0.09
    case .liquid: 0.075
    case .voicedFricative: 0.09
    case .fricative: 0.13
    case .aspirate: 0.08
    case .voicelessStop: 0.13
    case .voicedStop: 0.085
    case .breath: 0.3
    case .silence: 0.1
    }
  }
}
