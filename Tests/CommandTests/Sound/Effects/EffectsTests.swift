import AudioFile
import DSP
import Foundation
import Testing

/// `effects` and `presets`, as a user types them.
@Suite struct EffectsTests {
  private static let voice = (0..<24_000).map {
    Float(0.4 * sin(2 * .pi * 220 * Double($0) / 48_000))
  }

  /// A shell whose in.wav is the voice.
  private func shell() throws -> Shell {
    let shell = try Shell()
    try Signal(Self.voice, sampleRateHz: 48_000).write(to: shell.path("in.wav"))
    return shell
  }

  @Test func twoChannelsComeOut() throws {
    let shell = try shell()
    let answer = try shell.type("choir effects in.wav out.wav --chain dry --json")
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains("\"latencyMs\" : 0,"))
    let made = try AudioFile(reading: shell.path("out.wav"))
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
    let shell = try shell()
    let answer = try shell.type("choir \(arguments)")
    #expect(answer.status == 64 && answer.errors.contains(words), "\(answer.errors)")
  }

  @Test func effectsAreListed() throws {
    let shell = try shell()
    let answer = try shell.type("choir effects --list")
    #expect(answer.output.contains("tremolo: modulates the level"))
    #expect(answer.output.contains("0.01 to 20 Hz"))
    #expect(try shell.type("choir effects --list --json").output.contains("\"name\" : \"rateHz\""))
  }

  @Test func presetsAreShownAndReadBack() throws {
    let shell = try shell()
    #expect(try shell.type("choir presets list").output.contains("chipmunk"))
    #expect(try shell.type("choir presets show chipmunk >mine.json").status == 0)
    #expect(try shell.type("choir effects in.wav a.wav --preset chipmunk").status == 0)
    #expect(try shell.type("choir effects in.wav b.wav --preset mine.json").status == 0)
    #expect(
      try AudioFile(reading: shell.path("a.wav")) == AudioFile(reading: shell.path("b.wav")))
    try shell.write(#"{"name": "x", "volume": 3}"#, "bad.json")
    let bad = try shell.type("choir effects in.wav c.wav --preset bad.json")
    #expect(bad.status == 64 && bad.errors.contains("nothing is called 'volume'"))
  }

  /// A pipe returns the samples of a file, for any block size.
  @Test(arguments: [
    "effects IN OUT --chain '(tremolo(rateHz=9) | dry)' PIPE",
    "harmonize IN OUT --intervals 4 --effects tremolo PIPE",
  ])
  func pipesGiveWhatFilesGive(command: String) throws {
    let shell = try shell()
    try HarmonizeTests.bytes(Self.voice).write(to: shell.folder.appendingPathComponent("in.f32"))
    func filled(_ input: String, _ output: String, _ rest: String) -> String {
      "choir "
        + command.replacing("IN", with: input).replacing("OUT", with: output)
        .replacing("PIPE", with: rest)
    }
    #expect(
      try shell.type(filled("-", "-", "--stream --block 100 <in.f32 >out.f32")).status == 0)
    #expect(try shell.type(filled("in.wav", "out.wav", "")).status == 0)
    let piped = HarmonizeTests.samples(try shell.bytes("out.f32"))
    let file = try AudioFile(reading: shell.path("out.wav"))
    #expect(piped.count == 48_000)
    for i in 0..<24_000 {
      // Files hold 24 bits, the input too.
      #expect(abs(piped[2 * i] - file.channels[0][i]) < 1e-6)
      #expect(abs(piped[2 * i + 1] - file.channels[1][i]) < 1e-6)
    }
  }
}
