import DSP
import Foundation
import Music

/// The frequency of each key of the keyboard, and whether chords are tuned apart from it.
///
/// Just, Pythagorean and meantone tunings are built around a centre, in which A4 keeps its
/// frequency: they are in tune near that key and sour far from it.
public struct Tuning: ParameterizedSettings {
  public enum Temperament: Codable, Equatable, Sendable {
    /// Twelve equal semitones.
    case equal
    /// Equal steps to the octave, one to a key, from C4 up and down.
    case equalDivisions(Int)
    /// 5-limit ratios above the centre: 16/15, 9/8, 6/5, 5/4, 4/3, 45/32, 3/2, 8/5, 5/3, 9/5, 15/8.
    case just(centre: PitchClass)
    /// Pure fifths, from three below the centre to eight above: Eb to G# around C.
    case pythagorean(centre: PitchClass)
    /// The same fifths, each narrower by a share of the syntonic comma; 0.25 makes thirds pure.
    case meantone(centre: PitchClass, commaShare: Double)
    /// A choir without instruments: keys are equal, but where a chord is known its tones stand in
    /// whole-number ratios to what the lead sings (see `ChordTuning`).
    case barbershop
    /// A scale of Scala: 1/1 lies on C4, keys count degrees, and the key of A4 has `a4Hz`.
    case scala(ScalaScale)
  }

  public var temperament = Temperament.equal
  public var a4Hz = 440.0

  public static let parameters: [Parameter<Tuning>] = [
    .init("temperament", part: \.temperament),
    .init("a4Hz", \.a4Hz, in: 220...880, "frequency of A4"),
  ]

  public init() {}

  public init(_ temperament: Temperament, a4Hz: Double = 440) {
    (self.temperament, self.a4Hz) = (temperament, a4Hz)
  }

  public func validate() throws(SettingsError) {
    try validateParameters()
    switch temperament {
    case .equalDivisions(let count): try require("equalDivisions", Double(count), in: 1...128)
    case .meantone(_, let share): try require("commaShare", share, in: 0...0.5)
    case .equal, .just, .pythagorean, .barbershop, .scala: break
    }
  }

  /// The frequency of each key, 0 to 127; `nil` has no sound.
  public var frequenciesHz: [Double?] {
    switch temperament {
    case .equal, .barbershop: scala(.equal(divisions: 12))
    case .equalDivisions(let count): scala(.equal(divisions: max(1, count)))
    case .just(let centre): around(centre, cents: Self.justRatios.map { 1200 * log2($0) })
    case .pythagorean(let centre): around(centre, cents: Self.chain(ofFifthsCents: Self.pureFifth))
    case .meantone(let centre, let share):
      around(centre, cents: Self.chain(ofFifthsCents: Self.pureFifth - share * Self.syntonicComma))
    case .scala(let scale): scala(scale)
    }
  }

  private static let pureFifth = 1200 * log2(3.0 / 2)
  private static let syntonicComma = 1200 * log2(81.0 / 80)
  private static let justRatios: [Double] = [
    1, 16.0 / 15, 9.0 / 8, 6.0 / 5, 5.0 / 4, 4.0 / 3, 45.0 / 32, 3.0 / 2, 8.0 / 5, 5.0 / 3, 9.0 / 5,
    15.0 / 8,
  ]

  /// The twelve pitches above the centre that a chain of fifths reaches, from three below it on.
  private static func chain(ofFifthsCents fifth: Double) -> [Double] {
    var cents = [Double](repeating: 0, count: 12)
    for place in -3...8 {
      let above = Double(place) * fifth
      cents[ToneSet.pitchClass(7 * place)] = above - 1200 * (above / 1200).rounded(.down)
    }
    return cents
  }

  private func around(_ centre: PitchClass, cents: [Double]) -> [Double?] {
    func above(_ key: Int) -> Double {
      let place = key - centre.semitones
      return 1200 * (Double(place) / 12).rounded(.down) + cents[ToneSet.pitchClass(place)]
    }
    return (0...127).map { a4Hz * exp2((above($0) - above(69)) / 1200) }
  }

  /// Frequencies of keys that sound: all that is heard, and what lies between it and a sound file's
  /// limits. Wide scales reach beyond on a keyboard of 128 keys.
  private static let soundingHz = 1.0...100_000

  private func scala(_ scale: ScalaScale) -> [Double?] {
    let a4Cents = scale.cents(ofDegree: 69 - 60)
    return (0...127).map { key in
      let hz = a4Hz * exp2((scale.cents(ofDegree: key - 60) - a4Cents) / 1200)
      return Self.soundingHz.contains(hz) ? hz : nil
    }
  }
}

/// A tuning worked out: what the audio thread reads frequencies from.
///
/// - Allocates: in `init` only.
public struct TuningTable: ~Copyable, @unchecked Sendable {
  private let keys: RealtimeArray<Double>  // Hz, 128 of them; 0 has no sound

  public init(_ tuning: Tuning) throws(SettingsError) {
    try tuning.validate()
    keys = RealtimeArray(tuning.frequenciesHz.map { $0 ?? 0 })
  }

  /// The frequency of a key; `nil` outside 0 to 127 and for keys without sound.
  @_noLocks public func hz(ofKey key: Int) -> Double? {
    guard key >= 0, key <= 127 else { return nil }
    let hz = keys[key]
    return hz > 0 ? hz : nil
  }

  /// The frequency of a pitch between keys, on a straight line in cents between theirs.
  @_noLocks public func hz(ofNote note: Double) -> Double? {
    guard note >= 0, note <= 127 else { return nil }
    let below = floorOf(note)
    guard let lower = hz(ofKey: below) else { return nil }
    let share = note - Double(below)
    guard share > 0 else { return lower }
    guard let upper = hz(ofKey: below + 1) else { return nil }
    return lower * frequencyRatio(ofSemitones: share * semitones(ofFrequencyRatio: upper / lower))
  }
}
