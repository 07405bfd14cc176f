import Foundation
import Testing

@testable import CommandSupport
@testable import choir_eval

/// A command never overwrites a file that it reads, and replaces others only with permission.
@Suite struct OutputFilesTests {
  /// The input is recognized by its own path, another path, a link and a hard link; --force changes
  /// nothing.
  @Test(
    arguments: [
      "harmonize in.wav OUT --intervals 4", "harmonize in.wav OUT --intervals 4 --force",
      "autotune in.wav OUT --key 'C major'", "effects in.wav OUT --chain dry",
      "analyze in.wav --write f0 --output OUT", "analyze in.wav --write picture --output OUT",
      "export --store in.wav --output OUT --force",
      "report --store in.wav --format markdown --output OUT --force",
    ], ["in.wav", "../HERE/./in.wav", "link.wav", "hard.wav"])
  func theInputIsNeverTheOutput(command: String, output: String) throws {
    let shell = try Shell()
    try FileManager.default.createSymbolicLink(
      atPath: shell.path("link.wav"), withDestinationPath: "in.wav")
    try FileManager.default.linkItem(atPath: shell.path("in.wav"), toPath: shell.path("hard.wav"))
    let before = try shell.bytes("in.wav")
    let path = output.replacing("HERE", with: shell.folder.lastPathComponent)
    let answer = try shell.type("\(Built.line(command.replacing("OUT", with: path)))")
    #expect(answer.status == 64, "\(answer.output)\(answer.errors)")
    #expect(answer.words.contains("is read by this command; name another file"), "\(answer.errors)")
    #expect(try shell.bytes("in.wav") == before)
    #expect(shell.contents == ["hard.wav", "in.wav", "link.wav"])
  }

  @Test(arguments: [
    ("harmonize in.wav out.wav --intervals 4", "out.wav"),
    ("harmonize in.wav new.wav --intervals 4 --truth out.json", "out.json"),
    ("harmonize in.wav new.wav --intervals 4 --stems .", "voice1.wav"),
    ("autotune in.wav out.wav --key 'C major'", "out.wav"),
    ("effects in.wav out.wav --chain dry", "out.wav"),
    ("analyze in.wav --write notes --output out.csv", "out.csv"),
    ("analyze in.wav --write f0", "in.f0.csv"),
    ("synth vowel-a-bass", "vowel-a-bass.f0.csv"),
  ])
  func whatExistsIsReplacedOnlyByLeave(command: String, file: String) throws {
    let shell = try Shell()
    try shell.write("mine", file)
    let refused = try shell.type("\(Built.line(command))")
    #expect(refused.status == 64)
    #expect(refused.words.contains("add --force to replace it"), "\(refused.errors)")
    #expect(try shell.bytes(file) == Data("mine".utf8))
    #expect(shell.contents == [file, "in.wav"].sorted())
    let forced = try shell.type("\(Built.line(command)) --force")
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(try shell.bytes(file) != Data("mine".utf8))
    // An empty file has nothing to lose.
    try shell.write("", file)
    for other in shell.contents where ![file, "in.wav"].contains(other) {
      try FileManager.default.removeItem(atPath: shell.path(other))
    }
    #expect(try shell.type("\(Built.line(command))").status == 0)
  }

  @Test(arguments: [
    "harmonize in.wav a.wav --intervals 4 --truth a.json --save-preset ./a.json",
    "harmonize in.wav a/voice1.wav --intervals 4 --stems a",
  ])
  func twoOutputsAreNeverOneFile(command: String) throws {
    let shell = try Shell()
    let answer = try shell.type("\(Built.line(command))")
    #expect(answer.status == 64)
    #expect(answer.words.contains("would be written twice"), "\(answer.errors)")
    #expect(shell.contents == ["in.wav"])
  }

  @Test func aTruthLogIsNoTable() throws {
    let shell = try Shell()
    let answer = try shell.type("choir harmonize in.wav a.wav --intervals 4 --truth t.csv")
    #expect(answer.status == 64)
    #expect(answer.words.contains("end the name in .json or .mid"), "\(answer.errors)")
    #expect(shell.contents == ["in.wav"])
  }

  /// The link stays a link, and no partial file remains beside its target.
  @Test func aLinkIsFollowed() throws {
    let shell = try Shell()
    #expect(try shell.type("mkdir there; ln -s there/f0.csv f0.csv").status == 0)
    #expect(try shell.type("choir-eval analyze in.wav --write f0 --output f0.csv").status == 0)
    #expect(try shell.type("test -L f0.csv && ls -A there").output == "f0.csv\n")
    #expect(try shell.type("ln -s there/out.wav out.wav").status == 0)
    #expect(try shell.type("choir effects in.wav out.wav --chain dry").status == 0)
    #expect(try shell.type("test -L out.wav && ls -A there").output == "f0.csv\nout.wav\n")
  }

  @Test func devicesAndPipesAreWrittenTo() throws {
    let shell = try Shell()
    let piped = try shell.type(
      "choir-eval analyze in.wav --write f0 --output /dev/stdout | head -1")
    #expect(piped.output == "time_s,f0_hz,voicing\n", "\(piped.errors)")
    let full = try shell.type("choir-eval analyze in.wav --write f0 --output /dev/full")
    #expect(full.status == 2)
    #expect(full.words.contains("/dev/full could not be written: No space left"), "\(full.errors)")
  }

  /// A gate replaces its own files, and no other file.
  @Test func aGateReplacesItsOwnFilesOnly() throws {
    let bench = try GateTests.Bench.accepted()
    let files = ["g.md", "g.xml", "g.sarif", "g.json"].flatMap { ["--output", $0] }
    for _ in 1...2 {
      let answer = try bench.type(["gate", GateTests.Bench.file] + files)
      #expect(answer.status == 0, "\(answer.errors)")
    }
    for name in ["a.md", "a.xml", "a.sarif"] {
      try bench.write("mine, which says choir-eval somewhere\nchoir-eval gate x\n", name)
      let answer = try bench.type(["gate", GateTests.Bench.file, "--output", name])
      #expect(answer.status == 64 && answer.errors.contains("add --force"), "\(answer.errors)")
      #expect(try bench.read(name).hasPrefix("mine"))
    }
    let baseline = "Corpus/gates/tiny.tsv"
    #expect(try bench.type(["gate", GateTests.Bench.file, "--output", baseline]).status == 64)
    try FileManager.default.createSymbolicLink(
      at: bench.folder.appendingPathComponent("link.xml"),
      withDestinationURL: bench.folder.appendingPathComponent(baseline))
    let before = try bench.read(baseline)
    let answer = try bench.type([
      "gate", GateTests.Bench.file, "--output", "link.xml", "--force",
    ])
    #expect(answer.status == 64 && answer.errors.contains("is read by this command"))
    #expect(try bench.read(baseline) == before)
  }

  @Test func filesAreTheSameUnderAnyName() throws {
    let shell = try Shell()
    #expect(try shell.type("mkdir a; ln -s a b; ln -s new.wav dangling.wav").status == 0)
    func identity(_ name: String) -> FileIdentity { FileIdentity(of: shell.path(name)) }
    #expect(identity("a/new.wav") == identity("b/../b/new.wav"))
    #expect(identity("dangling.wav") == identity("new.wav"))
    #expect(identity("none/x") == identity("none/./x"))
    #expect(identity("a/new.wav") != identity("new.wav"))
  }
}
