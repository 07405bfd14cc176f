import AudioFile
import DSP
import Foundation
import Harmonizer
import TestSupport
import Testing

/// `choir harmonize`: ways of choosing notes, files and pipes.
@Suite struct HarmonizeTests {
  /// - Parameter input: bytes for standard input, through a pipe.
  static func type(
    _ arguments: [String], input: Data = Data(), in folder: TemporaryFolder? = nil
  ) throws -> Shell.Answer {
    try Shell.run(Built.choir, ["harmonize"] + arguments, input: input, in: folder?.url)
  }

  /// A call that is saved sounds the same by its preset, to the bit.
  @Test func aCallIsSavedAsAPreset() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir harmonize in.wav a.wav --intervals -5,4 --dry 0.5 --effects reverb --save-preset own.json
      choir harmonize in.wav b.wav --preset own.json
      choir project new song && choir project add song --preset own.json
      """)
    #expect(answer.output.contains("added the preset own"), "\(answer.errors)")
    #expect(try shell.bytes("a.wav") == shell.bytes("b.wav"))
  }

  /// Notes that the call chooses are sung in the sound of a preset's choir.
  @Test func aPresetGivesOtherNotesItsSound() throws {
    let shell = try Shell()
    let sound = "--engine vocoder --dry 0.5 --spread 0.4 --glide-ms 60 --pan 0.3"
    let answer = try shell.type(
      """
      choir harmonize in.wav a.wav --intervals -5 \(sound) --save-preset own.json
      choir harmonize in.wav b.wav --notes C4,E4 --preset own.json
      choir harmonize in.wav c.wav --notes C4,E4 \(sound)
      choir harmonize in.wav d.wav --notes C4,E4 --preset own.json --engine psola
      """)
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(try shell.bytes("b.wav") == shell.bytes("c.wav"))
    #expect(try shell.bytes("b.wav") != shell.bytes("d.wav"))
  }

  /// A key sounds when it is pressed, whatever the engine's latency, and so it says.
  @Test func notesOfTheTruthBeginWithTheSound() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      printf 'id: song\\nnotes:\\n  - {atSeconds: 0.4, press: [A3]}\\n' >song.yaml
      choir harmonize in.wav a.wav --sequence song.yaml --engine vocoder --truth a.mid
      """)
    #expect(answer.status == 0, "\(answer.errors)")
    let moments = try MIDIFile(reading: shell.path("a.mid")).played().moments
    let first = try #require(moments.first { if case .press = $0.event { true } else { false } })
    #expect(abs(first.atSeconds - 0.4) < 0.005, "\(first)")
  }

  /// A just third above E is 5/4 of it, and E a fourth below A.
  @Test func aTuningIsCentredOnTheKey() throws {
    let shell = try Shell()
    let answer = try shell.type(
      "choir harmonize in.wav a.wav --notes E3,G#3 --tuning just --key 'E major' --truth a.json")
    #expect(answer.status == 0, "\(answer.errors)")
    let log = try JSONDecoder().decode(TruthLog.self, from: shell.bytes("a.json"))
    let hz = log.blocks[log.blocks.count / 2].voices.compactMap(\.targetHz)
    #expect(hz.count == 2 && abs(hz[0] - 165) < 0.01 && abs(hz[1] - 206.25) < 0.01, "\(hz)")
  }

  /// The chords of an accompaniment, and the key of a scale that is sung. Half a second each: C F G.
  @Test func notesComeFromSound() throws {
    let shell = try Shell()
    let chords = try shell.type(
      """
      choir chords --progression 'C F G' --play band.wav
      choir harmonize in.wav a.wav --chords-from band.wav --truth a.json
      """)
    #expect(chords.status == 0, "\(chords.errors)")
    let log = try JSONDecoder().decode(TruthLog.self, from: shell.bytes("a.json"))
    let first = log.blocks[log.blocks.count / 2].voices.compactMap(\.targetHz)
    // C3, E3 and G3 in equal temperament.
    let expected = [130.813, 164.814, 195.998]
    #expect(zip(first, expected).allSatisfy { abs($0 - $1) < 0.01 } && first.count == 3, "\(first)")
    let key = try shell.type(
      """
      choir chords --key 'D major' --lowest-note D4 --play scale.wav
      choir harmonize scale.wav b.wav --key auto --degrees 3
      choir autotune scale.wav c.wav --key auto
      choir harmonize scale.wav d.wav --preset fast --key auto --degrees 3
      choir autotune scale.wav e.wav --preset fast --key auto
      """)
    #expect(key.status == 0 && key.errors.contains("key: D major, ahead of"), "\(key.errors)")
    // The voices sing to the recording a fifth higher.
    #expect(key.errors.split(separator: "key: A major, ahead of").count == 3, "\(key.errors)")
    try Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
      .write(to: shell.path("silent.wav"))
    let silence = try shell.type("choir harmonize in.wav d.wav --chords-from silent.wav")
    #expect(silence.errors.contains("has no chord"), "\(silence.errors)")
  }

  /// A buzz at 150 Hz, a D3 37 cents sharp.
  static let buzz: [Float] = (0..<48_000).map { n in
    let turns = 150 * Double(n) / 48_000
    return (1...8).reduce(Float(0)) { sum, harmonic in
      sum + Float(0.1 * sin(2 * .pi * turns * Double(harmonic)) / Double(harmonic))
    }
  }

  /// The buzz in swells of uneven length, whose loudness tells how late another sound is.
  static let swells: [Float] = buzz.enumerated().map { n, sample in
    let time = Double(n) / 48_000
    return sample * Float(0.3 + 0.7 * abs(sin(2 * .pi * (1.7 * time + 2.1 * time * time))))
  }

  static func bytes(_ samples: [Float]) -> Data { samples.withUnsafeBytes { Data($0) } }

  static func samples(_ data: Data) -> [Float] {
    data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// Each way of choosing notes sings its notes: the truth log has the targets.
  @Test(arguments: [
    (["--notes", "C4,E4,G4"], [60.0, 64, 67]), (["--chord", "C:maj7"], [48, 52, 55, 59]),
    (["--chord", "Am", "--lowest-note", "A3"], [57, 60, 64]),
    (["--midi", "song.mid"], [62, 69]), (["--sequence", "song.yaml"], [57, 61]),
    // The buzz is 36.95 cents above D3, and so are F3 and A3, the degrees of C major above it.
    (["--key", "C major", "--degrees", "3,5"], [53.3695, 57.3695]),
    (["--map", "D:3,7;others:-,-"], [53.3695, 57.3695]), (["--map", "map.txt"], [62.3695]),
    // By keys: of three at once the third gets no voice. The pedal bass is the last voice.
    (["--notes", "C4,E4,G4", "--voices", "2", "--pedal-bass", "C2"], [60, 64, 36]),
    // Keys released after a tenth of a second, and latched.
    (["--sequence", "short.yaml", "--latch"], [57, 61]),
    // Led: the registers' middles are 50, 60 and 70; of all ways to sing C, E and G nearby, E3 C4
    // G4 moves least. The descant is the lowest tone of the chord a third or more above D3.
    (["--chord", "C", "--allocate", "led", "--voices", "3", "--descant"], [52, 60, 67, 55]),
    // Bars of 4/4 last 1 s at 240 beats a minute: after 0.8 s the second half of the first sounds.
    (["--progression", "| C F | G |", "--tempo", "240"], [53, 57, 60]),
    (["--progression", "ii V", "--key", "D major", "--tempo", "480"], [57, 61, 64]),
    (
      ["--progression", "G | C", "--tempo", "480", "--allocate", "led", "--voices", "3"]
        + ["--descant"], [52, 60, 67, 55]
    ),
    (["--sequence", "progression.yaml"], [50, 53, 57, 60]),
    // With the root below, the third rather than the fifth above, 19 semitones from it at most. E5 lies out of
    // reach of the lead at 150 Hz, so it is sung an octave nearer.
    (["--chord", "C", "--registers", "C2-C4,G4-G5", "--keeps-bass"], [60, 64]),
    (["--notes", "A3", "--engine", "offline", "--glide-ms", "20"], [57]),
  ])
  func eachWaySingsItsNotes(arguments: [String], notes: [Double]) throws {
    let folder = try TemporaryFolder()
    try Signal(Self.buzz, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    try MIDIFile(tracks: [
      .init([
        .init(0, .noteOn(channel: 0, key: 62, velocity: 80)),
        .init(0, .noteOn(channel: 0, key: 69, velocity: 80)),
        .init(4_800, .noteOff(channel: 0, key: 62, velocity: 0)),
        .init(4_800, .noteOff(channel: 0, key: 69, velocity: 0)),
      ])
    ]).write(to: folder.path("song.mid"))
    for (name, text) in [
      ("song.yaml", "id: song\nnotes:\n  - {atSeconds: 0.1, press: [A3, C#4]}\n"),
      (
        "short.yaml",
        "id: short\nnotes: [{atSeconds: 0, press: [A3, C#4]}, {atSeconds: 0.1, release: [A3, C#4]}]"
      ),
      (
        "progression.yaml",
        "id: progression\nprogression: I vi ii7\nkey: C major\ntempo: 400\ntimeSignature: 2/4\n"
      ),
      ("map.txt", "# By note.\nC: 4\nD: 12\n"),
    ] { try folder.write(text, to: name) }
    let answer = try Self.type(
      ["in.wav", "out.wav", "--truth", "truth.json", "--stems", "stems"] + arguments, in: folder)
    #expect(answer.status == 0, "\(answer.errors)")
    let log = try Self.log(folder.file("truth.json"))
    #expect(log["schema"] as? String == "choir-eval.truth-log/3")
    let voices = try Self.blocks(log)[300]
    let sung = voices.compactMap { ($0["targetHz"] as? Double).map { 69 + 12 * log2($0 / 440) } }
    #expect(sung.count == notes.count)
    // Degrees depend on the tracker, whose error is below 2 cents.
    for (one, other) in zip(sung, notes) { #expect(abs(one - other) < 0.02) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")).count
        == notes.count)
  }

  /// Any setting of any engine can be set, numbers and switches: with and without kept formants.
  @Test(arguments: [("formantsKept=off", 1.259921), ("formantShiftSemitones=-12", 0.5)])
  func theEngineIsSetByName(setting: String, formantRatio: Double) throws {
    let folder = try TemporaryFolder()
    try Signal(Array(Self.buzz.prefix(4_800)), sampleRateHz: 48_000)
      .write(to: folder.path("in.wav"))
    let answer = try Self.type(
      [
        "in.wav", "out.wav", "--intervals", "4", "--engine", "vocoder", "--set", setting, "--set",
        "windowMs=30", "--truth", "truth.json",
      ], in: folder)
    #expect(answer.status == 0, "\(answer.errors)")
    let log = try Self.log(folder.file("truth.json"))
    let engine = (log["settings"] as? [String: Any])?["engine"] as? [String: Any]
    #expect(engine?["windowMs"] as? Double == 30)
    let voice = try #require(Self.blocks(log)[10].first)
    #expect(abs(try #require(voice["formantRatio"] as? Double) - formantRatio) < 1e-6)
  }

  /// The truth log in a file.
  private static func log(_ url: URL) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
  }

  /// The voices of each block of a truth log.
  private static func blocks(_ log: [String: Any]) throws -> [[[String: Any]]] {
    let blocks = try #require(log["blocks"] as? [[String: Any]])
    return try blocks.map { try #require($0["voices"] as? [[String: Any]]) }
  }

  /// The wheel of a MIDI file, 7 semitones wide by parameter 0, moves the target; the velocity is the
  /// gain; events that can't be sung are named once. The same holds for keys played live.
  @Test(arguments: [[], ["--allocate", "oldest", "--voices", "1"], ["--velocity-share", "0"]])
  func aMIDIFileIsSungWithBendsAndVelocities(more: [String]) throws {
    let folder = try TemporaryFolder()
    try Signal(Self.buzz, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    func control(_ number: Int, _ value: Int) -> MIDIFile.Event {
      .controller(channel: 0, number: number, value: value)
    }
    // A tick is a millisecond.
    try MIDIFile(
      division: .ticksPerQuarter(500),
      tracks: [
        .init([
          .init(0, control(7, 90)), .init(0, control(101, 0)), .init(0, control(100, 0)),
          .init(0, control(6, 7)), .init(0, .noteOn(channel: 0, key: 52, velocity: 32)),
          .init(300, .pitchBend(channel: 0, value: 8192 + 4096)),
          .init(600, .pitchBend(channel: 0, value: 0)),
          .init(950, .noteOff(channel: 0, key: 52, velocity: 0)),
        ])
      ]
    ).write(to: folder.path("bent.mid"))
    let answer = try Self.type(
      ["in.wav", "out.wav", "--midi", "bent.mid", "--truth", "truth.json"] + more, in: folder)
    #expect(answer.status == 0)
    #expect(
      answer.errors.hasSuffix(
        "warning: bent.mid: not sung: channel volume (controller 7), channel 1 at 0.0 s\n")
        && !answer.errors.dropLast().contains("\n"), "\(answer.errors)")
    let blocks = try Self.blocks(Self.log(folder.file("truth.json")))
    let gain = more.contains("--velocity-share") ? 1 : 32.0 / 127
    for (seconds, note) in [(0.2, 52.0), (0.5, 55.5), (0.9, 45)] {
      let voice = blocks[Int(seconds * 375)][0]
      let target = try #require(voice["targetHz"] as? Double)
      #expect(abs(69 + 12 * log2(target / 440) - note) < 1e-3, "\(seconds) s")
      #expect(abs(try #require(voice["gain"] as? Double) - gain) < 1e-3, "\(seconds) s")
    }
  }

  /// Each voice has its own formant shift, added to the engine's; also with the offline engine.
  @Test(arguments: [
    [], ["--engine", "vocoder", "--set", "formantShiftSemitones=1"], ["--engine", "offline"],
  ])
  func eachVoiceHasItsFormants(more: [String]) throws {
    let folder = try TemporaryFolder()
    try Signal(Array(Self.buzz.prefix(24_000)), sampleRateHz: 48_000)
      .write(to: folder.path("in.wav"))
    let answer = try Self.type(
      ["in.wav", "out.wav", "--intervals", "-5,0,4", "--formant-shift-semitones", "0,-2,3"]
        + ["--truth", "truth.json"] + more, in: folder)
    #expect(answer.status == 0, "\(answer.errors)")
    let voices = try Self.blocks(Self.log(folder.file("truth.json")))[100]
    let common = more.contains("vocoder") ? 1.0 : 0
    for (voice, semitones) in zip(voices, [0.0, -2, 3]) {
      let ratio = try #require(voice["formantRatio"] as? Double)
      #expect(abs(ratio - exp2((semitones + common) / 12)) < 1e-6)
    }
  }

  /// A preset's choir sings its own notes, changed by flags: a third above in E minor instead of
  /// C major, louder, with other formants.
  @Test func aPresetIsAWholeChoir() throws {
    let folder = try TemporaryFolder()
    try Signal(Self.buzz, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    // The buzz is 37 cents above D3: a third above is F3 in C major, F#3 in E minor.
    for (flags, note, gain) in [
      ([], 53.3695, 0.6), (["--key", "E minor", "--gain", "1"], 54.3695, 1),
    ] {
      let answer = try Self.type(
        ["in.wav", "out.wav", "--force", "--preset", "duet", "--truth", "truth.json"] + flags,
        in: folder)
      #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
      let voices = try Self.blocks(Self.log(folder.file("truth.json")))[300]
      #expect(voices.count == 1)
      let target = try #require(voices[0]["targetHz"] as? Double)
      #expect(abs(69 + 12 * log2(target / 440) - note) < 0.02)
      #expect(abs(try #require(voices[0]["gain"] as? Double) - gain) < 1e-3)
    }
    // The tail of its effects follows.
    let file = try AudioFile(reading: folder.path("out.wav"))
    #expect(file.channels.count == 2 && file.frameCount > 72_000)
  }

  /// A pipe returns the samples of a file, in mono and stereo, for any pieces of input.
  @Test(arguments: [[], ["--spread", "1"]])
  func aPipeGivesWhatAFileGives(more: [String]) throws {
    let folder = try TemporaryFolder()
    let input = Array(Self.buzz.prefix(30_000))
    try Signal(input, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    let choice = ["--notes", "D4,A4", "--humanize-cents", "5", "--dry", "0.2"] + more
    let made = try Self.type(["in.wav", "out.wav", "--cut-tail"] + choice, in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let file = try AudioFile(reading: folder.path("out.wav"))
    let answer = try Self.type(
      ["-", "-", "--stream", "--block", "128", "--rate-hz", "48000"] + choice,
      input: Self.bytes(input)
    )
    #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
    let piped = Self.samples(answer.bytes)
    #expect(file.channels.count == (more.isEmpty ? 1 : 2))
    #expect(piped.count == 30_000 * file.channels.count)
    for channel in file.channels.indices {
      // WAV files hold 32-bit floats by default: every bit is kept.
      let own = stride(from: channel, to: piped.count, by: file.channels.count).map { piped[$0] }
      #expect(own == file.channels[channel])
    }
  }

  /// Adds a click every half second to the mix, in a file and in a pipe, and nothing to the stems. The
  /// first of a bar of 2/4 has half the full amplitude, the other a quarter.
  @Test(arguments: [
    ["--intervals", "4", "--tempo", "120", "--time-signature", "2/4"],
    ["--sequence", "clicked.yaml"], ["--midi", "clicked.mid"],
  ])
  func theClickIsOnTheBeat(choice: [String]) throws {
    let folder = try TemporaryFolder()
    let input = Array((Self.buzz + Self.buzz).prefix(60_000))
    try Signal(input, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    try folder.write(
      "id: clicked\nprogression: C | G\ntempo: 120\ntimeSignature: 2/4", to: "clicked.yaml")
    try MIDIFile(tracks: [
      .init([
        .init(0, .meta(type: 0x58, data: [2, 2, 24, 8])),
        .init(0, .noteOn(channel: 0, key: 62, velocity: 80)),
        .init(4_800, .noteOff(channel: 0, key: 62, velocity: 0)),
      ])
    ]).write(to: folder.path("clicked.mid"))
    func samples(_ name: String) throws -> [Float] {
      try AudioFile(reading: folder.path(name)).channel(0).samples
    }
    let plain = choice.filter { $0 != "--tempo" && $0 != "--time-signature" }
      .filter { $0 != "120" && $0 != "2/4" }
    let call = ["--cut-tail", "--stems", "stems"]
    #expect(try Self.type(["in.wav", "plain.wav"] + call + plain, in: folder).status == 0)
    let answer = try Self.type(
      ["in.wav", "out.wav", "--force", "--click"] + call + choice, in: folder)
    #expect(answer.status == 0, "\(answer.errors)")
    let clicks = zip(try samples("out.wav"), try samples("plain.wav")).map { $0 - $1 }
    let onsets = clicks.indices.filter {
      clicks[$0] != 0 && clicks[max(0, $0 - 100)..<$0].allSatisfy { $0 == 0 }
    }
    #expect(onsets == [0, 24_000, 48_000])
    // -6 and -12 dB; the first half-wave comes within 0.5 dB of that.
    for (onset, gain) in [(0, 0.501), (24_000, 0.251), (48_000, 0.501)] {
      let peak = Double(clicks[onset..<(onset + 1_500)].map(abs).max() ?? 0)
      #expect(peak <= gain && peak > 0.94 * gain, "\(onset): \(peak)")
    }
    #expect(try samples("stems/voice1.wav") == samples("plain.wav") || !choice.contains("4"))
    let piped = try Self.type(
      ["-", "-", "--stream", "--click"] + choice, input: Self.bytes(input), in: folder)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(Self.samples(piped.bytes) == (try samples("out.wav")))
  }

  /// A tone that lasts to the last sample of its file is output completely, with the engine's latency:
  /// the output has the input's energy to within 0.5 dB, which taps and grains may lose where a tone
  /// begins and ends.
  @Test(arguments: [("delayline", 17.4), ("psola", 7.9), ("vocoder", 45.8)])
  func aLateEngineGivesItsTail(engine: String, latencyMs: Double) throws {
    let folder = try TemporaryFolder()
    let tone = (0..<9_600).map { Float(0.5 * sin(2 * .pi * 200 * Double($0) / 48_000)) }
    try Signal(tone, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    let call = ["in.wav", "out.wav", "--intervals", "0", "--engine", engine, "--stems", "stems"]
    #expect(try Self.type(call, in: folder).status == 0)
    func samples(_ name: String) throws -> [Float] {
      try AudioFile(reading: folder.path(name)).channel(0).samples
    }
    let whole = try samples("out.wav")
    let late = Double(whole.count - tone.count) / 48
    #expect(late >= latencyMs - 0.1 && late <= 2 * latencyMs + 100, "\(late) ms")
    func energy(_ samples: [Float]) -> Double {
      samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
    #expect(abs(10 * log10(energy(whole) / energy(tone))) < 0.5)
    #expect(try samples("stems/voice1.wav") == whole)
    #expect(try Self.type(call + ["--cut-tail", "--force"], in: folder).status == 0)
    #expect(try samples("out.wav") == Array(whole.prefix(tone.count)))
  }

  /// A stem of an earlier choir would be taken for a voice of this one.
  @Test func stemsOfAnEarlierRunAreNamed() throws {
    let folder = try TemporaryFolder()
    try Signal(Array(Self.buzz.prefix(4_800)), sampleRateHz: 48_000).write(
      to: folder.path("in.wav"))
    let call = ["in.wav", "out.wav", "--stems", "stems", "--force", "--intervals"]
    #expect(try Self.type(call + ["3,7"], in: folder).errors.isEmpty)
    let fewer = try Self.type(call + ["3"], in: folder)
    #expect(fewer.status == 0)
    #expect(fewer.errors.contains("stems/voice2.wav is from an earlier run with more voices"))
  }
}
