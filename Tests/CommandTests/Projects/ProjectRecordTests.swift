import Foundation
import Testing

/// `project record` from a pipe, and `project crop`.
@Suite struct ProjectRecordTests {
  @Test func aPipeIsRecordedCroppedAndLooped() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      head -c 384000 /dev/zero | tr '\\0' '\\100' | \
        choir project record song --from - --as lead --start 0.5
      choir project crop song --recording lead --end 1.5 --speed 2 --loop 0.6-0.9
      choir project record song --from - --as lead </dev/null
      """)
    #expect(answer.output.contains("song: recorded lead, 2.00 s"), "\(answer.errors)")
    #expect(answer.output.contains("song: lead lasts 0.500 s, and loops"), "\(answer.errors)")
    #expect(answer.words.contains("song already has a recording 'lead'"))
    #expect(answer.status == 2)
  }

  /// 16-bit samples read as floats.
  @Test func aPipeOfAnotherFormatIsRefused() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      head -c 4000 /dev/zero | tr '\\0' '\\177' | \
        choir project record song --from - --as lead
      """)
    #expect(answer.status == 2)
    #expect(answer.words.contains("where full scale is 1; send 32-bit floats"))
    #expect(try shell.type("choir project show song").output.contains("lead") == false)
  }
}
