import Foundation
import Testing

/// Lost results are never reported as success.
@Suite struct StandardOutputTests {
  @Test(arguments: [
    "analyze in.wav", "analyze in.wav --json", "compare in.wav in.wav", "metrics list", "--help",
    "--version", "effects --list --json", "presets show vader", "corpus list --corpus mine",
    "synth --list", "--generate-completion-script bash",
    "autotune --stream --key 'C major' < <(tail -c 40000 in.wav)",
    "harmonize - - --stream --intervals 4 < <(tail -c 40000 in.wav)",
  ])
  func aFullDiskEndsWith2(command: String) throws {
    let shell = try Shell()
    try shell.write(
      "id,file,source,sha256,licence,attribution,voice,kind,shows\n", "mine/manifest.csv")
    let answer = try shell.type("\(Built.line(command)) > /dev/full")
    #expect(answer.status == 2, "\(answer.errors)")
    #expect(answer.words.contains("No space left on device"), "\(answer.errors)")
  }

  @Test func aFullDiskEndsRunsWith2() throws {
    let bench = try GateTests.Bench.accepted()
    for words in [
      "gate \(GateTests.Bench.file)", "gate \(GateTests.Bench.file) --json",
      "run Corpus/plans/tiny.yaml", "export", "export --output /dev/stdout",
    ] {
      let answer = try Shell.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(Built.choirEval.path)' \(words) > /dev/full"],
        in: bench.folder)
      #expect(answer.status == 2, "\(words): \(answer.errors)")
      #expect(answer.errors.contains("No space left on device"), "\(words): \(answer.errors)")
    }
  }

  /// A reader that closes the pipe ends the writer silently.
  @Test(arguments: ["metrics list", "analyze in.wav --write f0 --output /dev/stdout"])
  func aReaderMayLeave(command: String) throws {
    let shell = try Shell()
    let answer = try shell.type("(\(Built.line(command)); echo $? > status) | true; cat status")
    // The summary of a file on standard output goes to standard error, without this name.
    #expect(!answer.errors.contains("choir-eval:"), "\(answer.errors)")
    // Killed by SIGPIPE, or finished before the reader closed the pipe.
    #expect(["141\n", "0\n"].contains(answer.output))
    let ignored = try shell.type(
      "trap '' PIPE; (sleep 0.2; \(Built.line(command)); echo $? > status) | true; cat status")
    #expect(ignored.errors == "" && ignored.output == "141\n", "\(ignored)")
  }

  /// No file takes the place of a closed standard stream.
  @Test func closedStreamsAreNoFiles() throws {
    let bench = try GateTests.Bench()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "'\(Built.choirEval.path)' run Corpus/plans/tiny.yaml <&- >&- 2>&-",
    ]
    process.currentDirectoryURL = bench.folder
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    // The store, which was written first, is complete.
    let rows = try bench.type("export")
    #expect(rows.status == 0 && rows.output.contains("level.change"), "\(rows.errors)")
  }

  /// A file that is standard output holds nothing else; the summary goes to standard error.
  @Test(arguments: [
    ("analyze in.wav --only pitch --write f0 --output /dev/stdout --quiet", "time_s,f0_hz,voicing"),
    ("harmonize in.wav out.wav --intervals 4 --truth /dev/stdout", "{"),
  ])
  func aFileOnStandardOutputIsAlone(command: String, start: String) throws {
    let shell = try Shell()
    for output in ["| cat", "> out.txt && cat out.txt"] {
      let answer = try shell.type("\(Built.line(command)) --force \(output)")
      #expect(answer.status == 0 && answer.output.hasPrefix(start), "\(answer.output.prefix(200))")
      #expect(!answer.output.contains(".wav"), "\(answer.output.suffix(300))")
      #expect(answer.errors.contains(".wav"))
    }
  }
}
