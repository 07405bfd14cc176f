import Foundation
import TestSupport
import Testing

@testable import Platform

/// External programs: limits of their output, and the end of all their processes.
@Suite struct ChildProcessTests {
  private func shell(_ line: String, timeoutSeconds: Double = 20) -> ChildProcess {
    ChildProcess(
      arguments: ["sh", "-c", line], timeoutSeconds: timeoutSeconds,
      folder: FileManager.default.temporaryDirectory)
  }

  /// Returns true if a process with this command line runs.
  private func runs(_ words: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.contains { name in
      guard Int(name) != nil,
        let data = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { return false }
      return String(decoding: data, as: UTF8.self).replacing("\0", with: " ").hasPrefix(words)
    }
  }

  /// A command line that no other process has.
  private static func uniqueSleep(seconds: Int = 60) -> String {
    "sleep \(seconds).\(Int.random(in: 100_000_000...999_999_999))"
  }

  /// The program writes 200 MB; 64 KB are kept.
  @Test func outputIsBounded() throws {
    let outcome = try shell("yes | head -c 200000000; echo end >&2").run()
    #expect(outcome.output.count == 65_536)
    #expect(outcome.errors == "end")
    var stream = shell("yes")
    stream.refusesMoreOutput = true
    #expect(throws: ChildProcess.Failure.tooMuchOutput(bytes: 65_536)) { try stream.run() }
  }

  /// The program kills its supervisor, whose other processes then hold the pipes.
  @Test(.timeLimit(.minutes(1))) func aKilledSupervisorEndsTheWait() {
    let sleep = Self.uniqueSleep(seconds: 20)
    #expect(throws: ChildProcess.Failure.supervisorGone) {
      try shell("setsid \(sleep) & kill -KILL $PPID; sleep 20").run()
    }
  }

  /// The program stops its supervisor and goes on; both end after the time limit.
  @Test(.timeLimit(.minutes(1))) func aStoppedSupervisorEndsEverything() {
    let sleep = Self.uniqueSleep()
    #expect(throws: ChildProcess.Failure.hung(seconds: 0.5)) {
      try shell("kill -STOP $PPID; setsid \(sleep) & \(sleep)", timeoutSeconds: 0.5).run()
    }
    #expect(!runs(sleep))
  }

  /// `cat` needs 1 to 3 MB; this process touches 300 MB first.
  @Test func peakMemoryIsThatOfTheProgram() throws {
    let ballast = [UInt8](repeating: 1, count: 300_000_000)
    let peak = try ChildProcess(
      arguments: ["cat", "/dev/null"], folder: URL(fileURLWithPath: "/")
    ).run().peakMemoryMB
    #expect(ballast.last == 1)
    #expect(peak > 0.2 && peak < 4)
    // A program that fills 100 MB; dd keeps one block.
    let large = try ChildProcess(
      arguments: ["dd", "if=/dev/zero", "of=/dev/null", "bs=100M", "count=1"],
      folder: URL(fileURLWithPath: "/")
    ).run().peakMemoryMB
    #expect(large > 100 && large < 108)
  }

  @Test func theReasonIsTheSystems() {
    #expect("\(ChildProcess.Failure.notStarted("sh", code: EMFILE))".contains("ulimit -n"))
    #expect("\(ChildProcess.Failure.notStarted("sh", code: EACCES))".contains("permissions"))
  }

  /// Variables reach the program, not its supervisor.
  @Test func variablesActOnTheProgramAlone() throws {
    var child = shell("echo $LD_LIBRARY_PATH; tr '\\0' '\\n' </proc/$PPID/environ")
    child.environment["LD_LIBRARY_PATH"] = "/none"
    let lines = try child.run().text.split(separator: "\n")
    #expect(lines.first == "/none")
    #expect(!lines.contains { $0.hasPrefix("LD_LIBRARY_PATH=") })
  }

  @Test func aFileIsBounded() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    var child = shell("exec head -c 3000000 /dev/zero > \(file.path)")
    child.fileMB = 1
    #expect {
      try child.run()
    } throws: { "\($0)".contains("wrote a file above the limit") }
    #expect(try Data(contentsOf: file).count == 1_048_576)
  }

  /// A sleep in a session of its own, whose parent has ended, ends after success, failure and
  /// time-out.
  @Test(arguments: ["exit 0", "exit 3", "kill -SEGV $$", "sleep 60"])
  func nothingOutlivesIt(end: String) {
    let sleep = Self.uniqueSleep()
    let line = "setsid \(sleep) & (setsid sh -c '\(sleep) & wait' &) ; sleep 0.1; \(end)"
    _ = try? shell(line, timeoutSeconds: 0.5).run()
    #expect(!runs(sleep))
  }

  /// The lifeline closes as if choir-eval itself were killed.
  @Test func allEndsWithTheLifeline() throws {
    let sleep = Self.uniqueSleep()
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nothing) }
    let program = try #require(
      ProgramFile.path(of: "sh", in: URL(fileURLWithPath: "/"), ChildEnvironment.passedOn))
    let supervised = try Supervised(
      program, ["sh", "-c", "setsid \(sleep) & \(sleep)"], ChildEnvironment.passedOn,
      folder: URL(fileURLWithPath: "/"), streams: (nothing, nothing, nothing), memoryMB: 0,
      fileMB: 0)
    for _ in 0..<500 where !runs(sleep) { usleep(10_000) }
    #expect(runs(sleep))
    supervised.end()
    #expect(supervised.finish() != nil)
    #expect(!runs(sleep))
  }

  @Test func onlyNamedVariablesArePassedOn() throws {
    let said = try shell("env").run().text.split(separator: "\n").map {
      String($0.prefix { $0 != "=" })
    }
    // The shell sets three of its own.
    let known = Set(ChildEnvironment.names + ["PWD", "SHLVL", "_", "OLDPWD"])
    #expect(said.contains("PATH") && known.isSuperset(of: said))
    // Something was there to be left out.
    #expect(!known.isSuperset(of: ChildEnvironment.ofThisProcess.keys))
  }

  @Test func whatCannotStartIsNamed() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data([0x7f, 0x45, 0x4c, 0x46, 0]).write(to: file)
    chmod(file.path, 0o755)
    let child = ChildProcess(arguments: [file.path], folder: URL(fileURLWithPath: "/"))
    #expect { try child.run() } throws: { "\($0)".contains("not started") }
    let missing = ChildProcess(arguments: ["no-such-program"], folder: URL(fileURLWithPath: "/"))
    #expect(throws: ChildProcess.Failure.notFound("no-such-program")) { try missing.run() }
  }
}
