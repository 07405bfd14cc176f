import Foundation
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct TuningTests {
  /// Intervals in cents as textbooks print them.
  @Test(arguments: [
    (
      Tuning(.just(centre: PitchClass(0))),
      [0, 111.73, 203.91, 315.64, 386.31, 498.04, 590.22, 701.96, 813.69, 884.36, 1017.60, 1088.27]
    ),
    (
      Tuning(.pythagorean(centre: PitchClass(0))),
      [0, 113.69, 203.91, 294.13, 407.82, 498.04, 611.73, 701.96, 815.64, 905.87, 996.09, 1109.78]
    ),
    (
      Tuning(.meantone(centre: PitchClass(0), commaShare: 0.25)),
      [0, 76.05, 193.16, 310.26, 386.31, 503.42, 579.47, 696.58, 772.63, 889.74, 1006.84, 1082.89]
    ),
    (Tuning(.equal), [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]),
  ])
  func temperamentsHaveTheirIntervals(tuning: Tuning, cents: [Double]) throws {
    let c4 = try #require(tuning.hz(ofKey: 60))
    for (above, expected) in cents.enumerated() {
      let hz = try #require(tuning.hz(ofKey: 60 + above))
      // The table's rounding.
      #expect(abs(1200 * log2(hz / c4) - expected) <= 0.0051)
      let octaveLower = try #require(tuning.hz(ofKey: 48 + above))
      #expect(abs(hz / octaveLower - 2) < 1e-12)
    }
    #expect(abs(tuning.hz(ofKey: 69)! - 440) < 1e-9)
  }

  @Test func a4HasTheFrequencySet() throws {
    #expect(abs(Tuning(.equal, a4Hz: 442).hz(ofKey: 57)! - 221) < 1e-9)
    #expect(abs(Tuning(.equal).hz(ofKey: 60)! - 261.6255653) < 1e-6)
    let just = Tuning(.just(centre: PitchClass(7)), a4Hz: 432)  // G: A is its 9/8
    #expect(abs(just.hz(ofKey: 67)! - 432 * 8 / 9) < 1e-9)
    #expect(abs(Tuning(.equal, a4Hz: 415.3).hz(ofKey: 69)! - 415.3) < 1e-9)
    #expect(Tuning().hz(ofKey: 128) == nil && Tuning().hz(ofKey: -1) == nil)
  }

  /// An octave of 19 steps with C4 as the middle; A4 is 9 steps above it.
  @Test func theOctaveMayHaveOtherEqualDivisions() throws {
    let tuning = Tuning(.equalDivisions(19))
    #expect(abs(tuning.hz(ofKey: 60 + 19)! / tuning.hz(ofKey: 60)! - 2) < 1e-12)
    #expect(abs(1200 * log2(tuning.hz(ofKey: 61)! / tuning.hz(ofKey: 60)!) - 1200.0 / 19) < 1e-9)
    #expect(abs(tuning.hz(ofKey: 69)! - 440) < 1e-9)
  }

  @Test func theTableReadsBetweenKeys() throws {
    let table = try TuningTable(Tuning(.just(centre: PitchClass(0))))
    #expect(table.hz(ofKey: 69) == 440 && table.hz(ofKey: 128) == nil)
    // Halfway in cents is the geometric mean.
    let mean = (table.hz(ofKey: 60)! * table.hz(ofKey: 61)!).squareRoot()
    #expect(abs(table.hz(ofNote: 60.5)! - mean) < 1e-9)
    #expect(table.hz(ofNote: 127.5) == nil && table.hz(ofNote: .nan) == nil)
    #expect(table.hz(ofNote: 127) != nil)
  }

  /// The tones of a seventh chord in barbershop tuning are 4:5:6:7 between any two, across octaves.
  @Test func chordsAreTunedInIntegerRatios() throws {
    let tuning = ChordTuning(try Chord(named: "C7"))
    #expect(tuning.ratio(ofKey: 70, toKey: 60) == 7.0 / 4)
    #expect(tuning.ratio(ofKey: 67, toKey: 64) == 6.0 / 5)
    #expect(tuning.ratio(ofKey: 48, toKey: 64) == 2.0 / 5)
    #expect(tuning.ratio(ofKey: 76, toKey: 58) == 20.0 / 7)
    #expect(tuning.ratio(ofKey: 61, toKey: 60) == nil)
    #expect(tuning.ratio(ofKey: 60, toKey: 62) == nil)
    let ninth = ChordTuning(try Chord(named: "F9"))  // G is 9/4 over the root
    #expect(ninth.ratio(ofKey: 67, toKey: 53) == 9.0 / 4)
  }

  /// The letters and the integer ratios of a formula describe the same chord: no tone is further
  /// from equal temperament than the septimal tritone of 7#9, 33 cents.
  @Test func justTuningIsNearEqualTemperament() {
    for formula in ChordFormula.all {
      #expect(formula.justParts.count == formula.semitones.count)
      for (part, semitones) in zip(formula.justParts, formula.semitones) {
        let cents = 1200 * log2(Double(part) / Double(formula.justParts[0]))
        #expect(abs(cents - 100 * Double(semitones)) < 34)
      }
    }
  }

  @Test func settingsAreCheckedAndKept() throws {
    let scala = Tuning(.scala(try ScalaScale(parsing: ScalaTests.meanquar)))
    for tuning in [
      Tuning(), Tuning(.just(centre: PitchClass(3)), a4Hz: 442), Tuning(.equalDivisions(31)), scala,
    ] {
      let data = try JSONEncoder().encode(tuning)
      #expect(try JSONDecoder().decode(Tuning.self, from: data) == tuning)
    }
    #expect(throws: (any Error).self) { try Tuning(.equalDivisions(0)).validate() }
    #expect(throws: (any Error).self) { try Tuning(.equal, a4Hz: .nan).validate() }
  }
}

extension Tuning {
  /// - Parameter key: 0 to 127; `nil` for others and for keys without sound.
  func hz(ofKey key: Int) -> Double? { (0...127).contains(key) ? frequenciesHz[key] : nil }
}
