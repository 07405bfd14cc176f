import AudioFile
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
      choir project crop song --recording lead --to-end --speed 1 --loop none
      choir project crop song --recording lead --to-end --end 1
      """)
    #expect(answer.output.contains("song: lead lasts 1.500 s\n"), "\(answer.output)")
    #expect(answer.words.contains("--end and --to-end are both given; keep one"))
    #expect(answer.output.contains("song: recorded lead, 2.00 s"), "\(answer.errors)")
    #expect(answer.output.contains("song: lead lasts 0.500 s, and loops"), "\(answer.errors)")
    #expect(answer.words.contains("song already has a recording 'lead'"))
    #expect(answer.status == 64)
  }

  /// Ctrl-C ends a take; the same command goes on at its last sample, and what is played stays.
  @Test func aRecordingGoesOn() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      part() { head -c 192000 /dev/zero | tr '\\0' "$1" | choir project record song --from - --as lead ${@:2}; }
      part '\\76' --start 0.5
      part '\\75' --append
      part '\\75' --append --start 0.2
      part '\\75' --append --rate-hz 44100
      choir project record song --from - --as other --append </dev/null
      choir project record song --from - --as lead --append </dev/null
      choir project show song
      """)
    #expect(
      answer.output.contains("recorded lead, 2.00 s, of which 1.00 s are new"), "\(answer.errors)")
    #expect(answer.words.contains("--start is not for --append; set it by choir project crop"))
    #expect(answer.words.contains("lead has 48000 Hz and the input 44100 Hz"))
    #expect(answer.words.contains("no recording 'other'"))
    #expect(answer.words.contains("nothing was recorded"))
    #expect(answer.output.contains("lead           0.5  end"))
    let recordings = URL(fileURLWithPath: shell.path("Projects/song/recordings"))
    let files = FileManager.default.enumerator(at: recordings, includingPropertiesForKeys: nil)!
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "wav" }
    try #require(files.count == 1)
    let sound = try AudioFile(reading: files[0].path)
    let (first, second) = (Float(bitPattern: 0x3E3E_3E3E), Float(bitPattern: 0x3D3D_3D3D))
    #expect(
      sound.channels[0] == Array(repeating: first, count: 48_000)
        + Array(repeating: second, count: 48_000))
  }

  /// A source with one sample that is no number, after a second of sound: the rest is recorded.
  @Test func oneBadSampleIsNotWorthTheTake() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      (head -c 192000 /dev/zero | tr '\\0' '\\76'; printf '\\0\\0\\300\\177'; \
        head -c 192000 /dev/zero | tr '\\0' '\\76') | \
        choir project record song --from - --as lead
      """)
    #expect(answer.status == 2)
    #expect(answer.output.contains("song: recorded lead, 2.00 s"), "\(answer.errors)")
    #expect(
      answer.words.contains("standard input had 1 sample beyond 1000, or no number")
        && answer.words.contains("2.00 s are kept as lead"))
    let sound = try AudioFile(reading: shell.path("Projects/song/recordings/lead.wav"))
    #expect(sound.frameCount == 96_001)
    // 0x3E3E3E3E
    let level = Float(bitPattern: 0x3E3E_3E3E)
    #expect(sound.channels[0][47_999...48_001] == [level, 0, level])
  }

  /// A crop that holds nothing is refused once the take is over: the take stays.
  @Test func aTakeThatCannotBeAddedStaysInTheProject() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      head -c 192000 /dev/zero | tr '\\0' '\\76' | \
        choir project record song --from - --as lead --start 5
      choir project add song --recording Projects/song/recordings/lead.wav --as lead
      """)
    #expect(answer.words.contains("1.00 s are kept in"), "\(answer.errors)")
    #expect(answer.status == 0)
    let recordings = shell.path("Projects/song/recordings")
    #expect(try FileManager.default.contentsOfDirectory(atPath: recordings) == ["lead.wav"])
  }

  /// A disk that is full: 40 KB hold 0.2 s.
  @Test func aFullDiskKeepsTheTake() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir project new song
      head -c 192000 /dev/zero | tr '\\0' '\\76' | (ulimit -f 40; trap '' XFSZ; \
        choir project record song --from - --as lead)
      """)
    #expect(answer.status == 2)
    #expect(answer.words.contains("could not be written to its end"), "\(answer.errors)")
    let sound = try AudioFile(reading: shell.path("Projects/song/recordings/lead.wav"))
    #expect(sound.frameCount >= 4096)
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
