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
    let folder = try HarmonizeTests.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    try HarmonizeTests.bytes(HarmonizeTests.buzz + HarmonizeTests.buzz).write(
      to: folder.appendingPathComponent("in.raw"))
    let shell = Process()
    let errors = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = [
      "-c",
      "set -o pipefail; \(Built.choir.path) harmonize - - --stream --intervals 4 < in.raw "
        + "| head -c 1000 > /dev/null",
    ]
    shell.currentDirectoryURL = folder
    shell.standardError = errors
    try shell.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(text.isEmpty, "\(String(decoding: text, as: UTF8.self))")
  }
}
