import Analyzer
import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Music
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects

/// Answers of several channels, files of voices, and the dry voice: programs are lines of Python that
/// write harmonic tones, so every channel has a pitch that is known.
@Suite struct ChannelTests {
  private let scratch = try! TemporaryFolder()
  private static let rateHz = 48_000.0

  /// Half a second of a harmonic tone, semitones above 220 Hz.
  private static func tone(_ semitones: Double) -> Signal {
    .harmonics(sawtooth(5, first: 0.125), of: 220 * exp2(semitones / 12), seconds: 0.5)
  }

  private static let input = tone(0)
  private static let trio = [-5.0, 4, 7]

  /// Writes a file whose channels are tones.
  private func write(_ semitones: [Double], to name: String) throws {
    try AudioFile(
      channels: semitones.map { Self.tone($0).samples }, sampleRateHz: Self.rateHz
    ).write(to: scratch.path(name))
  }

  private func subject(_ body: String) throws -> ExternalSubject {
    try ExternalSubject(reading: scratch.write(body, to: "subject.yaml"))
  }

  /// Describes a program that answers with the file `given.wav`.
  private func giving(_ semitones: [Double], _ more: String) throws -> ExternalSubject {
    try write(semitones, to: "given.wav")
    return try subject(
      """
      id: giving
      kind: command
      command: [sh, -c, 'cp given.wav "$1"', sh, "{output}", "{input}", "{intervals}"]
      \(more)
      """)
  }

  private func rendered(
    _ subject: ExternalSubject, _ intervals: [Double] = trio, recording: String = "alto"
  ) throws -> Rendering {
    let score = Score(id: "test", intervalsSemitones: intervals)
    try subject.validate([:], for: score)
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: 100))
    return try subject.render(
      RenderRequest(
        signal: Self.input, score: ResolvedScore(score, lead: lead), settings: [:],
        recording: recording, condition: "clean"))
  }

  private func isTone(_ signal: Signal, _ semitones: Double) -> Bool {
    zip(signal.samples, Self.tone(semitones).samples).allSatisfy { abs($0 - $1) < 1e-6 }
  }

  // MARK: Channels of one file

  @Test func channelsAreVoicesInOrder() throws {
    let made = try rendered(giving(Self.trio, "channels: voices"))
    #expect(made.stems.count == 3)
    for (stem, semitones) in zip(made.stems, Self.trio) { #expect(isTone(stem, semitones)) }
    let sum = made.stems.reduce(Float(0)) { $0 + $1.samples[777] }
    #expect(abs(made.mix.samples[777] - sum) < 1e-6)
    #expect(made.note == nil && !made.holdsDryVoice)
    let more = try rendered(giving(Self.trio + [12], "channels: voices"))
    #expect(more.stems.count == 3)
    #expect(more.note?.contains("those after 3 are not judged") == true)
    expectError("channels: its output has 2, but the score has 3 voices; let it write 3") {
      try rendered(giving([4, 7], "channels: voices"))
    }
  }

  @Test func aListSaysWhatEachChannelHolds() throws {
    let choice = "channels: [lead, 2, -, 1, 3]"
    let made = try rendered(giving([0, 4, 9, -5, 7], choice))
    for (stem, semitones) in zip(made.stems, Self.trio) { #expect(isTone(stem, semitones)) }
    #expect(
      made.note == "channel 1 is the dry voice and is not judged; channel 3 is ignored")
    #expect(abs(made.mix.samples[777] - made.stems.reduce(0) { $0 + $1.samples[777] }) < 1e-6)
    let one = try rendered(giving([0, 4, 9, -5, 7], choice), [-5])
    #expect(
      one.note?.contains("channel 2 (voice 2) is not judged, because the score has 1") == true)
    expectError("lacks voice 2 of the score 'test'; add it") {
      try rendered(giving([0, 4], "channels: [lead, 1]"), [4, 7])
    }
    expectError("its output has 4, but 'channels' names 5, [lead, 2, -, 1, 3]; name each") {
      try rendered(giving([0, 4, 9, -5], choice))
    }
  }

  @Test func stereoIsJudgedAsStereo() throws {
    let made = try rendered(giving([4, 7], "channels: stereo\ndry: true"), [4, 7])
    let stereo = try #require(made.stereo)
    #expect(isTone(stereo.left, 4) && isTone(stereo.right, 7))
    #expect(made.mix == stereo.mono)
    #expect(made.stems.isEmpty && made.holdsDryVoice)
    #expect(made.note?.contains("the mean of both channels") == true)
    expectError("has 1, but 'channels' is stereo; remove 'channels'") {
      try rendered(giving([4], "channels: stereo"))
    }
    expectError("has 3, but") { try rendered(giving([4, 5, 7], "channels: stereo")) }
  }

  @Test func differingChannelsWithoutAChoiceAreRefusedWithAllWays() throws {
    let words = expectError("channels: 1") { try rendered(giving([4, 7], "")) }
    for way in ["average", "stereo", "[lead, 1, 2]"] { #expect(words.contains(way)) }
  }

  // MARK: Files of voices

  @Test func aCommandWritesAFileForEachVoice() throws {
    for (index, semitones) in Self.trio.enumerated() {
      try write([semitones], to: "v\(index + 1).wav")
    }
    let line = #"for v in 1 2 3; do cp v$v.wav "$1/voice$v.wav"; done"#
    func singing(_ more: String) throws -> ExternalSubject {
      try subject(
        """
        id: singing
        kind: command
        command: [sh, -c, '\(line)', sh, "{folder}", "{input}", "{intervals}"]
        \(more)
        """)
    }
    let made = try rendered(singing(#"stems: "{folder}/voice{voice}.wav""#))
    for (stem, semitones) in zip(made.stems, Self.trio) { #expect(isTone(stem, semitones)) }
    #expect(made.note == "the mix is the sum of its 3 stems")
    expectError("no stem: there is no file '{folder}/part{voice}.wav' for voice 1") {
      try rendered(singing(#"stems: "{folder}/part{voice}.wav""#))
    }
    // A mix beside the stems may hold the dry voice.
    try write([12], to: "mix.wav")
    let mixed = try subject(
      """
      id: singing
      kind: command
      command: [sh, -c, '\(line); cp mix.wav "$1/output.wav"', sh, "{folder}", "{input}", "{intervals}",
        "{output}"]
      stems: "{folder}/voice{voice}.wav"
      dry: true
      """)
    let both = try rendered(mixed)
    #expect(isTone(both.mix, 12) && isTone(both.stems[1], 4) && both.holdsDryVoice)
  }

  @Test func aFolderHoldsStemsAndAMix() throws {
    try FileManager.default.createDirectory(
      at: scratch.file("renders"), withIntermediateDirectories: true)
    try write([4], to: "renders/alto-1.wav")
    try write([7], to: "renders/alto-2.wav")
    try write([12], to: "renders/alto.wav")
    let stems = "id: app\nkind: folder\nstems: \"renders/{recording}-{voice}.wav\""
    let alone = try rendered(subject(stems), [4, 7])
    #expect(isTone(alone.stems[0], 4) && isTone(alone.stems[1], 7))
    let mixed = try rendered(
      subject(stems + "\nfiles: \"renders/{recording}.wav\"\ndry: true"), [4, 7])
    #expect(isTone(mixed.mix, 12) && isTone(mixed.stems[1], 7) && mixed.holdsDryVoice)
    expectError("no file 'renders/alto-3.wav' for voice 3 of the score 'test'") {
      try rendered(subject(stems), Self.trio)
    }
    // The same files by interval, and each alone.
    try write([4], to: "renders/alto_4.wav")
    try write([7], to: "renders/alto_7.wav")
    let byName = "id: app\nkind: folder\nstems: \"renders/{recording}_{semitones}.wav\""
    #expect(isTone(try rendered(subject(byName), [4, 7]).stems[1], 7))
    let single = "id: app\nkind: folder\nfiles: \"renders/{recording}-{voice}.wav\""
    #expect(isTone(try rendered(subject(single), [4, 7]).stems[1], 7))
    // A new rendering is a new version.
    let before = try subject(stems).version
    try write([5], to: "renders/alto-2.wav")
    #expect(try subject(stems).version != before)
  }

  // MARK: Streams

  /// Repeats each float of the input in as many channels as there are gains.
  private func stream(_ gains: String, _ more: String) throws -> ExternalSubject {
    try subject(
      """
      id: stream
      kind: stream
      command:
        - python3
        - -c
        - |
          import array, sys
          x = array.array("f", sys.stdin.buffer.read())
          y = array.array("f", [g * s for s in x for g in (\(gains),)])
          sys.stdout.buffer.write(y.tobytes())
        - "{intervals}"
      \(more)
      """)
  }

  @Test func aStreamMayHaveSeveralChannels() throws {
    let halves = try rendered(stream("1, 0.5", "channels: voices"), [0, 0])
    #expect(halves.stems[0] == Self.input)
    #expect(halves.stems[1].samples[777] == Self.input.samples[777] / 2)
    let second = try rendered(stream("1, 0.5", "outputChannels: 2\nchannels: 2"), [0])
    #expect(second.mix.samples[777] == Self.input.samples[777] / 2)
    let wide = try rendered(stream("1, -1", "channels: stereo"), [0])
    #expect(wide.stereo?.right.samples[777] == -Self.input.samples[777])
    expectError("wrong length") {
      try rendered(stream("1, 0.5", "outputChannels: 3\nchannels: average"))
    }
    expectError("wrong length: wrote more than") { try rendered(stream("1, 0.5", "")) }
  }

  // MARK: The dry voice, and what is told

  @Test func theDryVoiceIsNoStem() throws {
    let alone = try rendered(giving([4], "dry: true"), [4])
    #expect(alone.stems.isEmpty && alone.holdsDryVoice)
    #expect(try rendered(giving([4], ""), [4]).stems.count == 1)
    let each = try subject(
      """
      id: each
      kind: command
      command: [cp, "{input}", "{output}", "{semitones}"]
      dry: true
      """)
    expectError("hold the dry voice once for each") { try rendered(each, [4, 7]) }
  }

  @Test func variablesOfTheEnvironmentHavePlaces() throws {
    let tuner = try subject(
      """
      id: tuner
      kind: command
      command: [sh, -c, 'test "$KEY-$ON" = D-yes && cp "$1" "$2"', sh, "{input}", "{output}"]
      environment: {KEY: "{key}", SCALE: "{scale}", ON: "{tone6:no,yes}"}
      """)
    let score = Score(id: "d", .tuned(try Key(named: "D major")))
    try tuner.validate([:], for: score)
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220])
    let made = try tuner.render(Self.input, score: ResolvedScore(score, lead: lead), settings: [:])
    #expect(made.stems == [Self.input])
  }

  @Test(arguments: [
    ("channels: both", "line 4: 'channels' is 'both'; write average, stereo, voices"),
    ("channels: 65", "'channels' is '65'"),
    ("channels: {a: b}", "'channels' is neither a word nor a list"),
    ("channels: [lead, two]", "has 'two'; write lead, a voice from 1 to 8, or -"),
    ("channels: [1, 2, 1]", "names voice 1 twice"),
    ("channels: [lead, lead, 1]", "names the lead twice"),
    ("channels: [lead, -]", "names no voice"),
    ("outputChannels: 2", "a command has no 'outputChannels'"),
    ("outputChannels: 0", "'outputChannels' is 0; write the number of channels, 1 to 64"),
    ("dry: perhaps", "'dry' is perhaps; write true or false"),
    ("channels: voices\ndry: true", "'channels: voices' has no channel for it; write a list"),
    ("channels: [1, 2]\ndry: true", "'channels' has no lead"),
    ("stems: \"{folder}/a.wav\"", "'stems' has no {voice}"),
    ("stems: \"a{voice}.wav\"", "'stems' has no {folder}"),
    ("stems: \"{folder}/{voice}.wav\"\nchannels: voices", "both say where the voices are"),
    ("stems: \"{folder}/{voice}{depth}.wav\"", "{depth} is neither"),
    ("settings: {key: C}", "a setting can't be called 'key'"),
    ("settings: {tone3: 1}", "a setting can't be called 'tone3'"),
  ])
  func mistakesInACommandAreNamed(more: String, words: String) {
    expectError(words) {
      try subject(
        "id: a\nkind: command\ncommand: [x, \"{input}\", \"{output}\", \"{intervals}\"]\n\(more)")
    }
  }

  @Test(arguments: [
    (
      "kind: command\ncommand: [x, \"{input}\", \"{output}\", \"{semitones}\"]\nchannels: voices",
      "'channels' is voices, but the command is called for one voice"
    ),
    (
      "kind: command\ncommand: [x, \"{input}\", \"{output}\", \"{ratio}\"]\nstems: \"{folder}/{voice}\"",
      "which gives stems already"
    ),
    (
      "kind: command\ncommand: [x, \"{input}\", \"{tone3:1}\", \"{output}\"]",
      "{tone3:1} needs the words for off and on"
    ),
    (
      "kind: command\ncommand: [x, \"{input}\", \"{intervals}\"]\nstems: \"{folder}/{voice}.wav\"",
      "the command has no {folder}"
    ),
    ("kind: command\ncommand: [x, \"{input}\", \"{folder}\"]", "the command has no {output}"),
    ("kind: stream\ncommand: [x]\nstems: \"{folder}/{voice}.wav\"", "a stream has no 'stems'"),
    (
      "kind: stream\ncommand: [x]\nchannels: [lead, 1]\noutputChannels: 3",
      "'outputChannels' is 3, but 'channels' names 2"
    ),
    (
      "kind: stream\ncommand: [x]\nchannels: 4\noutputChannels: 3",
      "'channels' is 4, but 'outputChannels' is 3"
    ),
    ("kind: folder\nstems: \"{folder}/{voice}.wav\"", "a folder has no {folder}"),
    ("kind: folder\nstems: \"{voice}.wav\"\ndry: true", "there is only 'stems'; remove 'dry'"),
    ("kind: folder\nfiles: \"{semitones}.wav\"\nchannels: voices", "'files' names one voice"),
  ])
  func formsThatExcludeEachOtherAreNamed(body: String, words: String) {
    expectError(words) { try subject("id: a\n\(body)") }
  }

  // MARK: The trial

  /// Each subject returns the tone it gets; the trial finds a request that it takes.
  @Test(arguments: [
    "{tones}", "{interval1} {interval2} {interval3}", "{tones} {degree1} {degree2}", "{map}",
    "{key} {scale}", "{notes}",
  ])
  func theTrialFindsARequest(places: String) throws {
    let voices = places.hasPrefix("{interval1}") ? 3 : places.contains("{degree1}") ? 2 : 1
    let gains = Array(repeating: "1", count: voices).joined(separator: ", ")
    let channels = voices > 1 ? "channels: voices" : ""
    let body =
      """
      id: trial
      kind: stream
      command:
        - python3
        - -c
        - |
          import array, sys
          x = array.array("f", sys.stdin.buffer.read())
          y = array.array("f", [g * s for s in x for g in (\(gains),)])
          sys.stdout.buffer.write(y.tobytes())
        - "\(places)"
      \(channels)
      """
    let trial = try SubjectTrial(of: subject(body))
    #expect(trial.problem == nil)
    #expect(trial.waveformCorrelation > 0.999 && abs(trial.gainDb) < 0.01)
  }

  @Test func aTunerThatIsToldTooLittleIsRefusedForItsKey() throws {
    let tuner = try subject("id: half\nkind: stream\ncommand: [cat, \"{scale}\"]")
    expectError("add {key} or {keyNumber}") { try SubjectTrial(of: tuner) }
  }

  /// Only its owner knows whether a program without a pitch in its command is an effect.
  @Test func aProgramThatIsToldNoPitchMayBeAnEffect() throws {
    let tremolo = try subject("id: tremolo\nkind: stream\ncommand: [cat]")
    let words = expectError("add {semitones}") { try SubjectTrial(of: tremolo) }
    #expect(words.contains("choir-eval probe FILE --only effect"), "\(words)")
    let half = try subject("id: half\nkind: stream\ncommand: [cat, \"{scale}\"]")
    do { _ = try SubjectTrial(of: half) } catch { #expect(!"\(error)".contains("effect")) }
  }
}
