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

  /// White keys only: C D E F G A B are the seven degrees of Ptolemy's scale, with A4 at 440 Hz.
  @Test func aMappingLeavesKeysOut() throws {
    let ptolemy = try ScalaScale(
      parsing: "ptolemy\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1")
    let mapping = try KeyboardMapping(
      parsing: """
        ! whitekeys.kbm
        12
        0
        127
        60
        69
        440.0
        7
        0
        x
        1
        x
        2
        3
        x
        4
        x
        5
        x
        6
        """)
    let hz = mapping.frequenciesHz(of: ptolemy)
    #expect(abs(hz[60]! - 264) < 1e-9)  // A4 is its 5/3
    #expect(hz[61] == nil && hz[66] == nil)
    #expect(abs(hz[64]! - 330) < 1e-9 && abs(hz[67]! - 396) < 1e-9 && abs(hz[72]! - 528) < 1e-9)
    #expect(abs(hz[47]! - 264 / 2 * 15 / 16) < 1e-9)  // B2
    let again = try KeyboardMapping(parsing: mapping.text)
    #expect(again == mapping)
  }

  /// An empty mapping assigns successive degrees to keys; keys outside its range have no sound.
  @Test func anEmptyMappingIsLinear() throws {
    let mapping = try KeyboardMapping(parsing: "0\n21\n108\n60\n60\n261.63\n0\n! nothing more")
    let hz = mapping.frequenciesHz(of: .equal(divisions: 24))
    #expect(hz[20] == nil && hz[109] == nil)
    #expect(abs(hz[84]! - 2 * 261.63) < 1e-9 && abs(hz[36]! - 261.63 / 2) < 1e-9)
  }

  /// One interval of 100,000 cents: keys 83 octaves apart have no sound, and none is infinite.
  @Test func keysOutOfHearingHaveNoSound() throws {
    let scale = try ScalaScale(parsing: "big\n1\n100000.")
    let table = try TuningTable(Tuning(.scala(scale, nil)))
    #expect((0...127).filter { table.hz(ofKey: $0) != nil } == [69])
    #expect(table.hz(ofKey: 69) == 440)
  }

  /// Mappings that users of Surge's tuning library and of LMMS reported; the frequencies follow from
  /// equal divisions of the octave.
  @Test(arguments: [
    // Size 0 with a degree for the period (tuning-library #42).
    ("0\n0\n127\n0\n60\n261.6256\n127", 12, 69, 261.6256 * exp2(9.0 / 12)),
    // Twelve of 31 steps (tuning-library #72).
    (
      "12\n0\n127\n60\n60\n200\n31\n0\n3\n5\n8\n10\n13\n15\n18\n20\n23\n25\n28", 31, 59,
      200 * exp2(-3.0 / 31)
    ),
    ("12\n0\n127\n60\n60\n200\n31\n0\n3\n5\n8\n10\n13\n15\n18\n20\n23\n25\n28", 31, 72, 400),
    // Negative degrees (LMMS #5522).
    ("2\n0\n127\n60\n60\n440\n12\n0\n-1", 12, 61, 440 * exp2(-1.0 / 12)),
    // Degrees beyond the period (tuning-library #63).
    ("2\n0\n127\n60\n60\n440\n12\n0\n19", 12, 61, 440 * exp2(19.0 / 12)),
  ])
  func reportedMappingsAreRead(text: String, divisions: Int, key: Int, hz: Double) throws {
    let mapping = try KeyboardMapping(parsing: text)
    let found = try #require(mapping.frequenciesHz(of: .equal(divisions: divisions))[key])
    #expect(abs(found / hz - 1) < 1e-12)
  }

  /// White keys from B3 on leave A4 out, whose frequency is given (tuning-library #55).
  @Test func aReferenceWithoutADegreeIsRefused() {
    let text = "12\n0\n127\n59\n69\n440\n12\n0\nx\n2\nx\n4\n5\nx\n7\nx\n9\nx\n11"
    #expect(throws: ScalaError.unmappedReference(note: 69)) { try KeyboardMapping(parsing: text) }
  }

  @Test(arguments: [
    ("1\n0\n127\n60\n60\n440\n0\n\(Int.min)", ScalaError.noDegree(line: 8, "\(Int.min)")),
    ("1\n0\n127\n60\n60\n440\n0\n4097", .noDegree(line: 8, "4097")),
    ("1\n0\n127\n60\n60\n440\n0\nx", .unmappedReference(note: 60)),
    ("1\n0\n127\n60\n60\nhigh\n0\n0", .noNumber(line: 6, "high", allowed: 0.001...100_000)),
    ("1\n0\n127\n60\n60\n440\n0\nC", .noDegree(line: 8, "C")),
    ("1\n9\n3\n60\n60\n440\n0\n0", .noCount(line: 3, "3", allowed: 9...127)),
    ("1\n0\n127", .ends(expected: "the middle key")),
  ])
  func aBrokenMappingNamesItsLine(text: String, error: ScalaError) {
    #expect(throws: error) { try KeyboardMapping(parsing: text) }
  }

  /// Omitted trailing entries have no sound; lines may also end with CR LF.
  @Test func entriesAtTheEndMayBeMissing() throws {
    let mapping = try KeyboardMapping(parsing: "3\r\n0\r\n127\r\n60\r\n60\r\n440\r\n0\r\n0\r\n")
    #expect(mapping.degrees == [0, nil, nil])
  }
}
