import Analyzer
import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Music
import Platform
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects

/// External programs: their sound, and the name of every failure.
@Suite struct ExternalSubjectTests {
  private let scratch = try! TemporaryFolder()
  private static let sound = Signal.sine(220, amplitude: 0.25, seconds: 0.5)

  private func subject(_ body: String) throws -> ExternalSubject {
    try ExternalSubject(reading: scratch.write(body, to: "subject.yaml"))
  }

  /// Describes a command that is a shell line.
  private func shell(_ line: String, _ more: String = "") throws -> ExternalSubject {
    try subject(
      """
      id: shell
      kind: command
      command: [sh, -c, '\(line)', sh, "{input}", "{output}", "{semitones}"]
      \(more)
      """)
  }

  private func rendered(
    _ subject: ExternalSubject, _ sound: Signal = Self.sound, intervals: [Double] = [4],
    settings: SubjectSettings = [:]
  ) throws -> Rendering {
    let score = Score(id: "test", intervalsSemitones: intervals)
    try subject.validate(settings, for: score)
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220])
    return try subject.render(sound, score: ResolvedScore(score, lead: lead), settings: settings)
  }

  @Test func copyIsTheSoundOnceAVoice() throws {
    let rendering = try rendered(shell(#"cp "$1" "$2""#), intervals: [4, 7])
    #expect(rendering.stems == [Self.sound, Self.sound])
    #expect(rendering.mix.samples[7] == 2 * Self.sound.samples[7])
  }

  @Test func placesAndSettingsAreFilled() throws {
    let template = CommandTemplate(["x{semitones}y", "{windowMs}", "{input}", "plain"])
    #expect(template.settingNames == ["windowMs"])
    #expect(
      template.filled(["semitones": "-5", "windowMs": "20", "input": "a b"])
        == ["x-5y", "20", "a b", "plain"])
  }

  @Test func everyFailureHasAName() throws {
    expectError("exit code 3; standard error: oh") {
      try rendered(shell("echo oh >&2; exit 3"))
    }
    expectError("crashed: segmentation") { try rendered(shell("kill -SEGV $$")) }
    expectError("no output") { try rendered(shell("true")) }
    let hung = try shell("sleep 20", "timeoutSeconds: 0.2")
    expectError("hung") { try rendered(hung) }
    let missing = try subject(
      """
      id: gone
      kind: command
      command: [there-is-no-such-program, "{input}", "{output}", "{semitones}"]
      install: apt-get install it
      """)
    expectError("install it: apt-get install it") { try rendered(missing) }
  }

  /// A sound of 17 samples ends before the delay of most subjects is over.
  @Test func silenceAnswersASoundNoLongerThanADelay() throws {
    let short = Signal(Array(Self.sound.samples[5000..<5017]), sampleRateHz: 48_000)
    let silence = Signal([Float](repeating: 0, count: 17), sampleRateHz: 48_000)
    try silence.write(to: scratch.file("given.wav").path)
    let subject = try shell(#"cp given.wav "$2""#)
    #expect(try rendered(subject, short).mix == silence)
  }

  @Test func soundThatIsNoneHasAName() throws {
    func giving(_ signal: Signal) throws -> ExternalSubject {
      try signal.write(to: scratch.file("given.wav").path)
      return try shell(#"cp given.wav "$2""#)
    }
    let samples = Self.sound.samples
    let cases: [(Signal, String)] = [
      (Signal(Array(samples.prefix(12_000)), sampleRateHz: 48_000), "wrong length"),
      (Signal(samples, sampleRateHz: 44_100), "wrong rate"),
      (Signal(samples.map { $0 * 0 }, sampleRateHz: 48_000), "silent"),
    ]
    for (signal, name) in cases {
      let subject = try giving(signal)
      expectError(name) { try rendered(subject) }
    }
    // A file with an infinite sample: 32-bit floats after a header of 44 bytes.
    try AudioFile(Self.sound).write(to: scratch.file("given.wav").path)
    let infinite = try shell(
      #"cp given.wav "$2"; printf "\\000\\000\\200\\177" | dd of="$2" bs=1 seek=1000 conv=notrunc"#)
    expectError("no number: sample") { try rendered(infinite) }
    // One float that is not a number, and then the rest.
    let flawed = try subject(
      """
      id: flawed
      kind: stream
      command: [sh, -c, 'head -c 4000; printf "\\377\\377\\377\\177"; head -c 4 >/dev/null; cat',
        sh, "{semitones}"]
      """)
    expectError("no number: returned nan") { try rendered(flawed) }
    // Block-wise programs return a few samples more or less.
    let short = try giving(Signal(Array(samples.dropLast(300)), sampleRateHz: 48_000))
    #expect(try rendered(short).mix.count == samples.count)
  }

  /// The program asks for 400 MB and may have 100.
  @Test func memoryIsBounded() throws {
    let hungry = try shell(
      #"dd if=/dev/zero of=/dev/null bs=400M count=1 && cp "$1" "$2""#, "memoryMB: 100")
    expectError("exit code") { try rendered(hungry) }
  }

  @Test func streamGoesThroughAPipe() throws {
    let cat = try subject(
      """
      id: cat
      kind: stream
      command: [sh, -c, 'test "$1" = 48000 && cat', sh, "{rate}", "{semitones}"]
      """)
    #expect(try rendered(cat).mix == Self.sound)
  }

  @Test func folderIsReadByNames() throws {
    let folder = scratch.file("renders")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.sound.write(to: folder.appendingPathComponent("alto_4.wav").path)
    let subject = try subject(
      """
      id: rendered
      kind: folder
      files: renders/{recording}_{semitones}.wav
      """)
    let score = Score(id: "test", intervalsSemitones: [4])
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220])
    func request(_ recording: String) -> RenderRequest {
      RenderRequest(
        signal: Self.sound, score: ResolvedScore(score, lead: lead), settings: [:],
        recording: recording, condition: "clean")
    }
    let rendering = try subject.render(request("alto"))
    #expect(rendering.mix == Self.sound)
    // The cost of a rendering made elsewhere is unknown, not 0.
    #expect(rendering.cpuSeconds == nil)
    expectError("bass_4.wav") { try subject.render(request("bass")) }
  }

  @Test(arguments: [
    ("id: a b\nkind: command\ncommand: [x]", "must be letters"),
    ("id: psola\nkind: command\ncommand: [x, '{input}', '{output}']", "choose another"),
    ("id: reference\nkind: folder\nfiles: x.wav", "choose another"),
    ("id: a\nkind: command\ncommand: [x, '{output}']", "no {input}"),
    ("id: a\nkind: command\ncommand: [x, '{input}', '{output}', '{depth}']", "{depth} is neither"),
    ("id: a\nkind: stream\ncommand: [x, '{input}']", "a stream has no {input}"),
    ("id: a\nkind: folder", "needs 'files'"),
    ("id: a\nkind: folder\nfiles: x.wav\nsettings: {gain: 1}", "setting 'gain' has no place"),
    (
      "id: a\nkind: folder\nfiles: 'x{gain_db}.wav'\nsettings: {gain_db: 1}",
      "a setting can't be called 'gain_db': a place has letters and digits only"
    ),
    (
      "id: a\nkind: magic",
      "line 2: 'kind' is magic; choose command, stream, lv2, ladspa, clap, library, folder"
    ),
    ("id: a\nkind: folder\nfile: x", "line 3: a subject has no 'file'"),
    ("id: a\nkind: command\ncommand: sox", "line 3: 'command' is sox; write a list of words"),
    ("id: a\nkind: folder\nfiles: x\ntimeoutSeconds: -2", "line 4: 'timeoutSeconds' is -2; choose"),
    (
      "id: a\nkind: folder\nfiles: x\ntimeoutSeconds: two",
      "'timeoutSeconds' is two; write a number"
    ),
    ("id: a\nkind: folder\nfiles: x\ntimeoutSeconds: 1e30", "choose 0.01 to 86400"),
    ("id: a\nkind: folder\nfiles: x\nmemoryMB: .nan", "memoryMB is"),
    ("id: a\nkind: folder\nfiles: x\nmemoryMB: 1", "choose 64 to"),
    ("id: a\nkind: folder\nfiles: x\nlatencyMs: -3", "choose 0 to 60000"),
    ("id: a\nkind: folder\nfiles: x\nlengthToleranceMs: .inf", "lengthToleranceMs is"),
  ])
  func mistakesInAFileAreNamed(body: String, words: String) {
    expectError(words) { try subject(body) }
  }

  @Test func scoresAndSettingsItCannotTakeAreRefused() throws {
    let plain = try shell(#"cp "$1" "$2""#)
    let notes = Score(id: "held", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(60)])]))
    #expect(throws: Refusal.self) { try plain.validate([:], for: notes) }
    let score = Score(id: "test", intervalsSemitones: [4])
    #expect(throws: Refusal.self) { try plain.validate(["depth": .number(1)], for: score) }
    #expect(throws: Refusal.self) {
      try plain.validate(["blockSize": .number(0)], for: score)
    }
  }

  /// The program is told the file's own block size, or that of a plan.
  @Test func aFilesOwnBlockSizeIsTaken() throws {
    func blocks(of own: String) throws -> ExternalSubject {
      try subject(
        """
        id: blocks
        kind: command
        command: [sh, -c, 'echo "$4" >told; cp "$1" "$2"', sh, "{input}", "{output}",
          "{semitones}", "{block}"]
        settings: {blockSize: \(own)}
        """)
    }
    func told(_ settings: SubjectSettings = [:]) throws -> String {
      _ = try rendered(blocks(of: "256"), settings: settings)
      return try String(contentsOf: scratch.file("told"), encoding: .utf8)
    }
    #expect(try told() == "256\n")
    #expect(try told(["blockSize": .number(64)]) == "64\n")
    for own in ["0", "0.5", "65537", "many"] {
      expectError("blockSize is") { try rendered(blocks(of: own)) }
    }
  }

  @Test func aMIDIFileSaysWhatTheScoreSays() throws {
    let events = [
      ScoreEvent(atSeconds: 0.25, .press(note: NoteNumber(60), velocity: 45)),
      ScoreEvent(atSeconds: 0.5, .pedal(isDown: true)),
      // An eighth of 5 semitones, the smallest whole bend range for both bends.
      ScoreEvent(atSeconds: 0.75, .bend(semitones: 0.625)),
      ScoreEvent(atSeconds: 0.875, .bend(semitones: -5)),
      ScoreEvent(atSeconds: 1.0001, .release(note: NoteNumber(60))),
      ScoreEvent(atSeconds: 1.5, .pedal(isDown: false)),
    ]
    let read = ScoreEvent.events(of: MIDIFile(playing: events))
    #expect(read.map(\.action) == events.map(\.action))
    for (a, b) in zip(read, events) { #expect(abs(a.atSeconds - b.atSeconds) < 0.000_051) }
  }
}
