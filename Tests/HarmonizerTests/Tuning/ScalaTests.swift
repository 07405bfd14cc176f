import Foundation
import Testing

@testable import Harmonizer

/// The texts are the examples of the format's specification at huygens-fokker.org/scala.
@Suite struct ScalaTests {
  static let meanquar = """
    ! meanquar.scl
    !
    1/4-comma meantone scale. Pietro Aaron's temperament (1523)
     12
    !
     76.04900
     193.15686
     310.26471
     5/4
     503.42157
     579.47057
     696.57843
     25/16
     889.73529
     1006.84314
     1082.89214
     2/1
    """

  /// The specification's list of valid lines and their meanings.
  @Test(arguments: [
    ("81/64", 407.82), ("408.0", 408.0), ("408.", 408), ("5", 2786.31), ("-5.0", -5),
    ("10/20", -1200), ("100.0 cents", 100), ("100.0 C#", 100), ("5/4   E\\", 386.31),
    // "Space or horizontal tab characters are allowed and should be ignored."
    ("3 / 2", 701.955), ("3/ 2 fifth", 701.955), ("\t3 /2", 701.955), ("2 / octave", 1200),
    ("2! octave", 1200), ("2147483647/2147483646", 0),
  ])
  func linesMeanPitches(line: String, cents: Double) throws {
    let scale = try ScalaScale(parsing: "name\n2\n\(line)\n2/1")
    #expect(abs(scale.pitchesCents[0] - cents) < 0.005)
  }

  /// The file writes "25/16" and "5/4" as ratios among cents.
  @Test func theExampleIsQuarterCommaMeantone() throws {
    let scale = try ScalaScale(parsing: Self.meanquar)
    #expect(scale.name == "1/4-comma meantone scale. Pietro Aaron's temperament (1523)")
    let fifth = 1200 * log2(pow(5, 0.25))
    for (degree, fifths) in [(7, 1), (2, 2), (9, 3), (4, 4), (11, 5), (6, 6), (1, 7), (8, 8)] {
      let cents = (fifth * Double(fifths)).truncatingRemainder(dividingBy: 1200)
      #expect(abs(scale.cents(ofDegree: degree) - cents) < 1e-4)  // the file's digits
    }
    #expect(scale.cents(ofDegree: 12) == 1200)
    #expect(abs(scale.cents(ofDegree: -5) - (696.57843 - 1200)) < 1e-9)
  }

  @Test(arguments: [
    ("", ScalaError.ends(expected: "the number of pitches")),
    ("name\nmany", .noCount(line: 2, "many", allowed: 1...4096)),
    ("name\n-1", .noCount(line: 2, "-1", allowed: 1...4096)),
    ("name\n2\n! no pitch\n5/4", .ends(expected: "pitch 2 of 2")),
    ("name\n2\n5/0\n2/1", .noPitch(line: 3, "5/0")),
    ("name\n1\n-2/1", .noPitch(line: 3, "-2/1")), ("name\n1\nfifth", .noPitch(line: 3, "fifth")),
    ("name\n1\n1/2/3", .noPitch(line: 3, "1/2/3")), ("name\n1\n.nan", .noPitch(line: 3, ".nan")),
    ("name\n1\n-3.0", .fallingPeriod(cents: -3)),
    ("name\n0\n", .noCount(line: 2, "0", allowed: 1...4096)),
    ("name\n2\n697//441\n2/1", .noPitch(line: 3, "697//441")),
    ("name\n3\n100\n200\n1200", .noRatio(line: 4, "200")),
  ])
  func aBrokenScaleNamesItsLine(text: String, error: ScalaError) {
    #expect(throws: error) { try ScalaScale(parsing: text) }
    #expect(!error.description.isEmpty)
  }

  /// One interval of 100,000 cents: keys 83 octaves apart have no sound, and none is infinite.
  @Test func keysOutOfHearingHaveNoSound() throws {
    let scale = try ScalaScale(parsing: "big\n1\n100000.")
    let table = try TuningTable(Tuning(.scala(scale)))
    #expect((0...127).filter { table.hz(ofKey: $0) != nil } == [69])
    #expect(table.hz(ofKey: 69) == 440)
  }
}
