import AudioFile
import DSP
import Foundation
import Testing

/// `choir harmonize` between two pipes.
@Suite struct HarmonizePipeTests {
  /// The offline engine needs the whole recording.
  @Test func aPipeCantBeOffline() throws {
    let answer = try HarmonizeTests.type([
      "-", "-", "--stream", "--notes", "C4", "--engine", "offline",
    ])
    #expect(answer.status == 64 && answer.output.isEmpty)
    #expect(answer.errors.contains("needs the whole recording"), "\(answer.errors)")
  }

  /// Each block is output as soon as it is complete, while the pipe stays open.
  @Test func eachBlockLeavesAtOnce() throws {
    let process = Process()
    let (source, output) = (Pipe(), Pipe())
    process.executableURL = Built.choir
    process.arguments = ["harmonize", "-", "-", "--stream", "--block", "64", "--intervals", "4"]
    (process.standardInput, process.standardOutput) = (source, output)
    try process.run()
    for _ in 0..<5 {
      try source.fileHandleForWriting.write(contentsOf: Data(count: 256))
      var received = 0
      while received < 256 {
        let data = try #require(try output.fileHandleForReading.read(upToCount: 256 - received))
        received += data.count
      }
    }
    // Three more samples, and two bytes of an incomplete one.
    try source.fileHandleForWriting.write(contentsOf: Data(count: 14))
    try source.fileHandleForWriting.close()
    #expect(output.fileHandleForReading.readDataToEndOfFile().count == 12)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// A closed pipe ends the command without an error.
  @Test func aReaderMayLeave() throws {
    let shell = try Shell()
    try HarmonizeTests.bytes(HarmonizeTests.buzz + HarmonizeTests.buzz).write(
      to: shell.folder.appendingPathComponent("in.raw"))
    let answer = try shell.type(
      "set -o pipefail; choir harmonize - - --stream --intervals 4 < in.raw "
        + "| head -c 1000 > /dev/null")
    #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
  }

  /// The bytes of a file are not samples: taken for floats, "RIFF" is +82 dBFS.
  @Test(arguments: ["wav", "flac", "aiff", "ogg", "caf", "au", "w64"])
  func aFileIsNotTakenForRawSamples(ending: String) throws {
    let shell = try Shell()
    let sound = Signal(Array(HarmonizeTests.buzz.prefix(4000)), sampleRateHz: 48_000)
    try sound.write(to: shell.path("a.\(ending)"))
    for command in [
      "harmonize - - --stream --intervals 4", "autotune --stream --key 'C major'",
      "effects - - --stream --chain chorus",
    ] {
      let answer = try shell.type("\(Built.line(command)) < a.\(ending)")
      #expect(answer.status == 2 && answer.output.isEmpty)
      #expect(answer.errors.contains("file, not raw 32-bit floats"), "\(answer.errors)")
    }
  }

  @Test func aSampleThatIsNoNumberIsSaid() throws {
    var samples = HarmonizeTests.buzz
    let silent = try HarmonizeTests.type(
      ["-", "-", "--stream", "--intervals", "4"], input: HarmonizeTests.bytes(samples))
    #expect(silent.errors.isEmpty)
    (samples[1000], samples[2000]) = (.nan, .infinity)
    let answer = try HarmonizeTests.type(
      ["-", "-", "--stream", "--intervals", "4"], input: HarmonizeTests.bytes(samples))
    #expect(answer.status == 0 && answer.bytes.count == 4 * samples.count)
    #expect(answer.errors.contains("not a finite number, at frame 1000"), "\(answer.errors)")
  }
}
