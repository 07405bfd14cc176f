import AudioFile
import DSP
import Foundation
import Testing

/// `effects` and `presets`, as a user types them.
@Suite struct EffectsTests {
  private func type(_ arguments: String, in folder: URL) throws -> Shell.Answer {
    try Shell.run(URL(fileURLWithPath: "/bin/sh"), ["-c", Built.path(arguments)], in: folder)
  }

  private static let voice = (0..<24_000).map {
    Float(0.4 * sin(2 * .pi * 220 * Double($0) / 48_000))
  }

  private func scratch() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Signal(Self.voice, sampleRateHz: 48_000).write(
      to: url.appendingPathComponent("in.wav").path)
    return url
  }

  @Test func twoChannelsComeOut() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try type("effects in.wav out.wav --chain dry --json", in: folder)
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains("\"latencyMs\" : 0,"))
    let made = try AudioFile(reading: folder.appendingPathComponent("out.wav").path)
    #expect(made.channels.count == 2 && made.channels[0] == made.channels[1])
    // A file holds 24 bits.
    #expect(zip(made.channels[0], Self.voice).allSatisfy { abs($0 - $1) < 2e-7 })
  }

  @Test(arguments: [
    ("effects in.wav out.wav --chain 'tremolo > tremelo'", "          ^^^^^^^"),
    ("effects in.wav out.wav --preset vador", "there is no preset 'vador'"),
    ("effects in.wav out.wav", "add --chain or --preset"),
    ("effects in.wav", "name a recording"), ("effects --list --chain dry", "--json only"),
    ("effects - - --chain dry", "--stream belong together"),
    ("harmonize in.wav out.wav --intervals 4 --effects 'dry >'", "the chain ends too soon"),
    ("autotune in.wav out.wav --key 'C major' --effects 'x'", "there is no effect 'x'"),
  ])
  func misuseIsNamed(arguments: String, words: String) throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try type(arguments, in: folder)
    #expect(answer.status == 64 && answer.errors.contains(words), "\(answer.errors)")
  }

  @Test func effectsAreListed() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try type("effects --list", in: folder)
    #expect(answer.output.contains("tremolo: modulates the level"))
    #expect(answer.output.contains("0.01 to 20 Hz"))
    #expect(try type("effects --list --json", in: folder).output.contains("\"name\" : \"rateHz\""))
  }

  @Test func presetsAreShownAndReadBack() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try type("presets list", in: folder).output.contains("chipmunk"))
    #expect(try type("presets show chipmunk >mine.json", in: folder).status == 0)
    #expect(try type("effects in.wav a.wav --preset chipmunk", in: folder).status == 0)
    #expect(try type("effects in.wav b.wav --preset mine.json", in: folder).status == 0)
    let bytes = try ["a.wav", "b.wav"].map {
      try AudioFile(reading: folder.appendingPathComponent($0).path)
    }
    #expect(bytes[0] == bytes[1])
    try #"{"name": "x", "volume": 3}"#
      .write(to: folder.appendingPathComponent("bad.json"), atomically: true, encoding: .utf8)
    let bad = try type("effects in.wav c.wav --preset bad.json", in: folder)
    #expect(bad.status == 64 && bad.errors.contains("nothing is called 'volume'"))
  }

  /// A pipe returns the samples of a file, for any block size.
  @Test(arguments: [
    "effects IN OUT --chain '(tremolo(rateHz=9) | dry)' PIPE",
    "harmonize IN OUT --intervals 4 --effects tremolo PIPE",
  ])
  func pipesGiveWhatFilesGive(command: String) throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.voice.withUnsafeBytes { Data($0) }.write(to: folder.appendingPathComponent("in.f32"))
    func filled(_ input: String, _ output: String, _ rest: String) -> String {
      command.replacing("IN", with: input).replacing("OUT", with: output)
        .replacing("PIPE", with: rest)
    }
    #expect(
      try type(filled("-", "-", "--stream --block 100 <in.f32 >out.f32"), in: folder).status == 0)
    #expect(try type(filled("in.wav", "out.wav", ""), in: folder).status == 0)
    let piped = try Data(contentsOf: folder.appendingPathComponent("out.f32"))
      .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let file = try AudioFile(reading: folder.appendingPathComponent("out.wav").path)
    #expect(piped.count == 48_000)
    for i in 0..<24_000 {
      // Files hold 24 bits, the input too.
      #expect(abs(piped[2 * i] - file.channels[0][i]) < 1e-6)
      #expect(abs(piped[2 * i + 1] - file.channels[1][i]) < 1e-6)
    }
  }
}
