import DSP
import Foundation
import Music

/// The frequency of each key of the keyboard, and whether chords are tuned apart from it.
///
/// Just, Pythagorean and meantone tunings are built around a centre, in which A4 keeps its
/// frequency: they are in tune near that key and sour far from it.
public struct Tuning: Codable, Equatable, Sendable {
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
    /// A scale of Scala. Without a mapping, 1/1 lies on C4, keys count degrees, and the key of A4
    /// has `a4Hz`; with one, the mapping says it all.
    case scala(ScalaScale, KeyboardMapping?)
  }

  public var temperament: Temperament
  public var a4Hz: Double

  public init(_ temperament: Temperament = .equal, a4Hz: Double = 440) {
    (self.temperament, self.a4Hz) = (temperament, a4Hz)
  }

  public func validate() throws(SettingsError) {
    try require("a4Hz", a4Hz, in: 220...880)
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
    case .scala(let scale, let mapping): scala(scale, mapping)
    }
  }

  /// - Parameter key: 0 to 127; `nil` for others and for keys without sound.
  public func hz(ofKey key: Int) -> Double? {
    (0...127).contains(key) ? frequenciesHz[key] : nil
  }

  /// Returns the distance of a key above its equal temperament at A4 = 440 Hz.
  public func cents(ofKey key: Int) -> Double? {
    hz(ofKey: key).map { 1200 * log2($0 / NoteNumber(Double(key)).hz) }
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

  private func scala(_ scale: ScalaScale, _ mapping: KeyboardMapping? = nil) -> [Double?] {
    (mapping ?? naturalMapping).frequenciesHz(of: scale)
  }

  private var naturalMapping: KeyboardMapping {
    KeyboardMapping(middleKey: 60, referenceKey: 69, referenceHz: a4Hz)
  }
}
