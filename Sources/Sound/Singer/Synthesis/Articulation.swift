import Foundation

/// The amplitude of each sound source at one instant.
struct SourceLevels: Blendable, Equatable {
  /// Voicing relative to a vowel, before loudness.
  var voicing = 0.0
  /// Turbulence at the open glottis, relative to the pulse's peak.
  var aspiration = 0.0
  /// Gains of `FricationBank`.
  var frication = SIMD8<Double>(repeating: 0)

  func blended(with other: SourceLevels, share: Double) -> SourceLevels {
    SourceLevels(
      voicing: voicing + (other.voicing - voicing) * share,
      aspiration: aspiration + (other.aspiration - aspiration) * share,
      frication: frication + (other.frication - frication) * share)
  }
}

/// The articulation over time: the shape of the vocal tract and the levels of the sources.
///
/// It is independent of pitch, so that a performance keeps it when transposed.
struct Articulation {
  private var shapes = Track<TractShape>()
  private var levelLine = Track<SourceLevels>()

  init(of phones: [TimedPhone], voice: Voice) {
    levelLine.append(SourceLevels(), at: -1, rampSeconds: 0)
    for (index, timed) in phones.enumerated() {
      addLevels(of: timed, after: index > 0 ? phones[index - 1].phone : .silence)
      let next = index + 1 < phones.count ? phones[index + 1].startSeconds : .infinity
      if next > timed.endSeconds + 1e-6 {
        levelLine.append(SourceLevels(), at: timed.endSeconds, rampSeconds: 0.07)
      }
    }
    addShapes(of: phones, voice: voice)
    if shapes.isEmpty { shapes.append(voice.shape(of: .schwa)!, at: 0, rampSeconds: 0) }
  }

  /// Returns the shape at a time; call in ascending order.
  mutating func shape(at seconds: Double) -> TractShape { shapes.value(at: seconds) }

  /// Returns the levels at a time; call in ascending order.
  mutating func levels(at seconds: Double) -> SourceLevels { levelLine.value(at: seconds) }

  private mutating func addShapes(of phones: [TimedPhone], voice: Voice) {
    var ahead: Double?  // start of an h, which takes the next shape
    var end = 0.0  // end of the last phone with a shape
    for (index, timed) in phones.enumerated() {
      guard var own = voice.shape(of: timed.phone) else {
        if timed.phone == .h { ahead = timed.startSeconds }
        continue
      }
      let coming = phones[(index + 1)...].lazy.compactMap { voice.shape(of: $0.phone) }.first
      if timed.phone.isVelar, let coming { own.pinchVelar(before: coming) }
      let previous = index > 0 ? phones[index - 1].phone : timed.phone
      let width = max(timed.phone.transitionSeconds, previous.transitionSeconds * 0.8)
      let start = ahead ?? timed.startSeconds
      // After a stop the tract opens with the release, not before; after a rest it is in place.
      let rest = index > 0 ? start - end : 0
      let shift = previous.isStop ? width / 3 : -min(rest, width) / 2
      shapes.append(own, at: start + shift, rampSeconds: width)
      ahead = nil
      end = timed.endSeconds
    }
  }

  private mutating func addLevels(of timed: TimedPhone, after previous: Phone) {
    let acoustics = timed.phone.acoustics
    var open = SourceLevels()
    open.voicing = acoustics.voicingDb.map(gain) ?? 0
    open.aspiration = acoustics.aspirationDb.map(gain) ?? 0
    if let bands = acoustics.frication {
      for (lane, db) in bands.enumerated() { open.frication[lane] = gain(db) }
    }
    guard timed.phone.isStop else {
      return levelLine.append(
        open, at: timed.startSeconds, rampSeconds: attackSeconds(of: timed.phone, after: previous))
    }
    // A closure, during which the walls radiate the voice of voiced stops; a burst; and, in
    // voiceless stops, aspiration until the folds close again.
    let voiceless = timed.phone.manner == .voicelessStop
    let burst = min(voiceless ? 0.012 : 0.008, 0.2 * timed.durationSeconds)
    let rush = voiceless ? min(0.045, 0.35 * timed.durationSeconds) : 0
    let hum = SourceLevels(voicing: open.voicing)
    let release = timed.endSeconds - burst - rush
    levelLine.append(hum, at: timed.startSeconds, rampSeconds: 0.018)
    levelLine.append(open, at: release, rampSeconds: 0.001)
    if voiceless {
      levelLine.append(SourceLevels(aspiration: gain(-20)), at: release + burst, rampSeconds: 0.006)
    }
  }

  private func attackSeconds(of phone: Phone, after previous: Phone) -> Double {
    if previous.isStop { return 0.008 }
    switch phone.manner {
    case .silence: return 0.07
    case .breath: return 0.12
    case .fricative, .voicedFricative, .aspirate: return 0.035
    default: return previous == .silence || previous == .breath ? 0.045 : 0.025
    }
  }
}

private func gain(_ db: Double) -> Double { pow(10, db / 20) }

extension Phone {
  var isStop: Bool { manner == .voicelessStop || manner == .voicedStop }
  fileprivate var isVelar: Bool { self == .k || self == .g || self == .ng }

  /// Duration of the transition to or from this phone.
  fileprivate var transitionSeconds: Double {
    switch manner {
    case .vowel: 0.11
    case .liquid: 0.09
    case .nasal: 0.045
    case .voicelessStop, .voicedStop: 0.055
    case .fricative, .voicedFricative: 0.06
    case .aspirate, .breath, .silence: 0.08
    }
  }
}

extension TractShape {
  /// Moves the closure further back before a back vowel, where F2 and F3 meet at a lower frequency.
  ///
  /// - Source: Stevens, "Acoustic Phonetics", 1998, on the velar pinch.
  fileprivate mutating func pinchVelar(before vowel: TractShape) {
    let room = frequenciesHz[1] - vowel.frequenciesHz[1]
    guard room > 0 else { return }
    frequenciesHz[1] -= 0.7 * room
    frequenciesHz[2] = max(frequenciesHz[2] - 0.5 * room, frequenciesHz[1] + 400)
  }
}
