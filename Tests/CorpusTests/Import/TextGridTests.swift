import Foundation
import Testing

@testable import Corpus
@testable import Platform

@Suite struct TextGridTests {
  static let short = """
    File type = "ooTextFile"
    Object class = "TextGrid"

    0
    0.5
    <exists>
    2
    "IntervalTier"
    "word"
    0
    0.5
    2
    0
    0.1
    ""
    0.1
    0.45
    "so ""there""\"
    "IntervalTier"
    "phone"
    0
    0.5
    2
    0.1
    0.2
    "s"
    0.2
    0.45
    "ow"

    """

  static let long = """
    File type = "ooTextFile"
    Object class = "TextGrid"

    xmin = 0
    xmax = 0.5
    tiers? <exists>
    size = 2
    item []:
        item [1]:
            class = "IntervalTier"
            name = "word"
            xmin = 0
            xmax = 0.5
            intervals: size = 2
            intervals [1]:
                xmin = 0
                xmax = 0.1
                text = ""
            intervals [2]:
                xmin = 0.1
                xmax = 0.45
                text = "so ""there""\"
        item [2]:
            class = "IntervalTier"
            name = "phone"
            xmin = 0
            xmax = 0.5
            intervals: size = 2
            intervals [1]:
                xmin = 0.1
                xmax = 0.2
                text = "s"
            intervals [2]:
                xmin = 0.2
                xmax = 0.45
                text = "ow"
    """

  static let phones = [
    LabelledSpan(onsetSeconds: 0.1, offsetSeconds: 0.2, label: "s"),
    LabelledSpan(onsetSeconds: 0.2, offsetSeconds: 0.45, label: "ow"),
  ]

  @Test(
    arguments: [short, long], [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf16])
  func bothFormsInEveryEncoding(text: String, encoding: String.Encoding) throws {
    let bytes = text.replacingOccurrences(of: "\n", with: "\r\n").data(using: encoding)!
    let grid = AnnotationText(path: "a", content: decodedText(bytes), durationSeconds: 1)
    #expect(try TextGrid.spans(grid, named: ["phone"]) == Self.phones)
    // Empty labels are silence; two quotes are one.
    #expect(
      try TextGrid.spans(grid, named: ["word"])
        == [LabelledSpan(onsetSeconds: 0.1, offsetSeconds: 0.45, label: "so \"there\"")])
  }

  @Test func aTierThatIsNotThereIsNamedWithThoseThatAre() throws {
    let grid = AnnotationText(path: "a.TextGrid", content: Self.short, durationSeconds: 1)
    let error = #expect(throws: Refusal.self) {
      try TextGrid.spans(grid, named: ["notes"])
    }
    #expect(
      error?.description == "a.TextGrid: has no tier notes; its tiers are 'word', 'phone'")
  }

  @Test func aFileThatIsCutShortIsRefused() {
    #expect(throws: Refusal.self) {
      try TextGrid(String(Self.short.prefix(120)), path: "a")
    }
    // The flag for tiers is cut short; this is not a grid without tiers.
    #expect(throws: Refusal.self) {
      try TextGrid("File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n0\n1\n<exi", path: "a")
    }
  }
}
