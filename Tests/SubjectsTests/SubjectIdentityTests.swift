import Analyzer
import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects

/// Everything that changes a subject's sound changes its version.
@Suite struct SubjectIdentityTests {
  private let scratch = try! TemporaryFolder()

  private func version(_ body: String) throws -> String {
    try ExternalSubject(reading: scratch.write(body, to: "subject.yaml")).version
  }

  private func program(_ name: String, _ body: String) throws {
    let url = try scratch.write("#!/bin/sh\n\(body)\n", to: name)
    chmod(url.path, 0o755)
  }

  private let yaml = """
    id: mine
    kind: command
    command: [./shift, "{input}", "{output}", "{semitones}", --script=a.txt]
    """

  @Test func programAndArgumentsCount() throws {
    try program("shift", "cp $1 $2")
    try scratch.write("one", to: "a.txt")
    let first = try version(yaml)
    #expect(try version(yaml) == first)
    #expect(try version(yaml + "\ntitle: Mine") == first)
    try program("shift", "cp  $1 $2")
    let rebuilt = try version(yaml)
    #expect(rebuilt != first)
    try scratch.write("two", to: "a.txt")
    #expect(try version(yaml) != rebuilt)
  }

  @Test func aLinkIsWhatItLeadsTo() throws {
    try program("one", "cp $1 $2")
    try program("two", "cat $1 > $2")
    let files = FileManager.default
    let link = scratch.file("shift")
    try files.createSymbolicLink(at: link, withDestinationURL: scratch.file("one"))
    let first = try version(yaml)
    try files.removeItem(at: link)
    try files.createSymbolicLink(at: link, withDestinationURL: scratch.file("two"))
    #expect(try version(yaml) != first)
  }

  @Test func namedFilesFoldersAndVariablesCount() throws {
    try program("shift", "cp $1 $2")
    try scratch.write("one", to: "library/deep/b.txt")
    let named = yaml + "\ndependsOn: [library]"
    let first = try version(named)
    try scratch.write("two", to: "library/deep/b.txt")
    #expect(try version(named) != first)
    #expect(
      try version(yaml + "\nenvironment: {DEPTH: 1}")
        != version(yaml + "\nenvironment: {DEPTH: 2}"))
    let passed = try SubjectFile(
      reading: scratch.write(yaml + "\nenvironment: [DEPTH]", to: "subject.yaml")
    ).environment
    #expect(passed?.resolved(in: ["DEPTH": "2", "OTHER": "3"]) == ["DEPTH": "2"])
    #expect(throws: Refusal.self) { try version(yaml + "\ndependsOn: [nowhere]") }
  }

  /// `sh` is linked with the C library.
  @Test func programsBringTheirLibraries() {
    var content = SubjectContent(in: scratch.url, environment: ChildEnvironment.passedOn)
    content.add(command: ["sh", "-c", "cat a | tr a b"])
    let names = Set(content.files.values)
    #expect(names.contains { $0.hasPrefix("libc.so") }, "\(content.files)")
    #expect(names.isSuperset(of: ["cat", "tr"]), "\(content.files) of \(content.environment)")
  }

  /// A folder beside the subject's has the name of a program.
  @Test func namesStartFromTheSubjectsFolder() throws {
    try scratch.write("one", to: "tr/b")
    try scratch.write("two", to: "mine/a")
    let mine = URL(fileURLWithPath: scratch.path("mine"), isDirectory: false)
    var content = SubjectContent(in: mine, environment: ChildEnvironment.passedOn)
    content.add(command: ["sh", "-c", "cat a | tr a b"])
    #expect(Set(content.files.values).isSuperset(of: ["a", "cat", "tr"]), "\(content.files)")
  }

  @Test func filesThatSettingsNameCount() throws {
    try program("shift", "cp $1 $2")
    try scratch.write("one", to: "soft.json")
    let subject = try ExternalSubject(
      reading: scratch.write(
        """
        id: mine
        kind: command
        command: [./shift, "{input}", "{output}", "{semitones}", "{preset}.json"]
        settings: {preset: hard}
        """, to: "subject.yaml"))
    let soft: SubjectSettings = ["preset": .text("soft")]
    let first = subject.content(of: soft)
    try scratch.write("three", to: "soft.json")
    #expect(!first.isEmpty && subject.content(of: soft) != first)
    #expect(subject.content(of: ["preset": .text("gone")]).isEmpty)
  }

  @Test func renderingsCount() throws {
    try scratch.write("one", to: "renders/alto_4.wav")
    let folder = "id: mine\nkind: folder\nfiles: renders/{recording}_{semitones}.wav"
    let first = try version(folder)
    try scratch.write("else", to: "renders/notes.txt")
    #expect(try version(folder) == first)
    try scratch.write("two", to: "renders/alto_4.wav")
    #expect(try version(folder) != first)
  }

  @Test func aVersionCommandThatFailsIsSaid() throws {
    try program("shift", "cp $1 $2")
    let failing = try ExternalSubject(
      reading: scratch.write(
        yaml + "\nversionCommand: [sh, -c, 'echo no such flag >&2; exit 2']", to: "subject.yaml"))
    #expect(failing.warnings.first?.contains("exit code 2; standard error: no such flag") == true)
    let telling = try ExternalSubject(
      reading: scratch.write(yaml + "\nversionCommand: [echo, shift 3.1]", to: "subject.yaml"))
    #expect(telling.warnings.isEmpty && telling.version.hasPrefix("shift 3.1, program "))
  }

  // MARK: Input and output

  private static let sound = Signal.sine(220, amplitude: 0.5, seconds: 0.5)

  private func rendered(_ yaml: String) throws -> Rendering {
    let subject = try ExternalSubject(reading: scratch.write(yaml, to: "subject.yaml"))
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220])
    return try subject.render(
      Self.sound,
      score: ResolvedScore(Score(id: "test", intervalsSemitones: [0]), lead: lead), settings: [:])
  }

  private let copying = """
    id: mine
    kind: command
    command: [sh, -c, 'cp "$1" heard.wav; cp "$1" "$2"', sh, "{input}", "{output}", "{semitones}"]
    """

  @Test(arguments: [("float", 3, 32), ("pcm16", 1, 16), ("pcm24", 1, 24)])
  func filesAreWhatTheProgramReads(format: String, tag: UInt16, bits: UInt16) throws {
    _ = try rendered(copying + "\ninputFormat: \(format)")
    let header = try Data(contentsOf: scratch.file("heard.wav"))
    // The chunk "fmt " comes first: its tag at 20, its width at 34.
    func number(_ offset: Int) -> UInt16 {
      UInt16(header[offset]) | UInt16(header[offset + 1]) << 8
    }
    #expect(number(20) == tag || number(20) == 0xfffe)
    #expect(number(34) == bits)
  }

  @Test func channelsAreJudgedAsDeclared() throws {
    let other = Signal(Self.sound.samples.map { $0 / 2 }, sampleRateHz: 48_000)
    let pair = AudioFile(channels: [Self.sound.samples, other.samples], sampleRateHz: 48_000)
    try pair.write(to: scratch.file("stereo.wav").path)
    let stereo = copying.replacing(#"cp "$1" "$2""#, with: #"cp stereo.wav "$2""#)
    #expect {
      try rendered(stereo)
    } throws: { "\($0)".contains("channels: its output has 2 that differ; choose in its file") }
    let second = try rendered(stereo + "\nchannels: 2")
    #expect(second.mix == other && second.note?.contains("channel 2 is measured") == true)
    let average = try rendered(stereo + "\nchannels: average")
    #expect(average.mix.samples[77] == (Self.sound.samples[77] + other.samples[77]) / 2)
    #expect(average.note?.contains("their average is measured") == true)
    #expect(throws: Refusal.self) { try rendered(stereo + "\nchannels: 3") }
    try AudioFile(channels: [other.samples, other.samples], sampleRateHz: 48_000)
      .write(to: scratch.file("stereo.wav").path)
    #expect(try rendered(stereo).note?.contains("2 equal channels") == true)
  }

  // MARK: The trial

  /// The program reads floats as integers of the same width.
  @Test func soundThatWasMisreadIsRefused() throws {
    let voice = ProbeSounds.swell(hz: 220, sampleRateHz: 48_000)
    let misread = Signal(
      voice.samples.map { Float(Int32(bitPattern: $0.bitPattern)) / Float(Int32.max) },
      sampleRateHz: 48_000)
    let trial = SubjectTrial(of: misread, from: voice)
    #expect(trial.problem?.contains("gain +") == true, "\(trial)")
    #expect(SubjectTrial(of: voice, from: voice).problem == nil)
    // 6 dB softer and 20 ms late is the same voice.
    let late = voice.late(samples: 960, gain: 0.5)
    #expect(SubjectTrial(of: late, from: voice).problem == nil)
  }

  @Test(arguments: ["soundtouch", "rubberband", "sox-pitch", "csound-choir"])
  func shippedSubjectsGiveTheSameVoice(id: String) throws {
    let file = Repository.file("Corpus/subjects/\(id).yaml")
    let subject = try ExternalSubject(reading: file)
    guard subject.isInstalled else {
      try Test.cancel("\(subject.file.install ?? "\(id) is not installed")")
    }
    let trial = try SubjectTrial(of: subject)
    #expect(trial.problem == nil && abs(trial.gainDb) < 1.5, "\(trial)")
  }
}
