import Foundation
import Testing

@testable import Platform

@Suite struct SupervisedConnectionTests {
  private func connection(
    _ line: String, timeoutSeconds: Double = 20
  ) throws -> SupervisedConnection {
    try SupervisedConnection(
      "sh", ["-c", line], ChildEnvironment.passedOn, folder: URL(fileURLWithPath: "/"),
      memoryMB: 0, timeoutSeconds: timeoutSeconds)
  }

  @Test func bytesComeBackWhole() throws {
    let connection = try connection("exec cat")
    // Within the socket's buffer, which `cat` need not have emptied.
    let sent = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try sent.withUnsafeBytes { try connection.write($0) }
    var received = [UInt8](repeating: 0, count: sent.count)
    try received.withUnsafeMutableBytes { try connection.read($0) }
    #expect(received == sent)
  }

  @Test func linesAreBoundedAndSplit() throws {
    let two = try connection("printf 'one\\ntwo\\n'; sleep 20")
    #expect(try two.line() == "one")
    #expect(try two.line() == "two")
    let endless = try connection("yes | tr -d '\\n'")
    #expect(throws: ChildProcess.Failure.tooMuchOutput(bytes: 65_536)) { try endless.line() }
  }

  /// A stop and a continuation interrupt the wait with EINTR; the answer comes all the same.
  @Test func aSignalDoesNotEndTheWait() throws {
    // Any handler interrupts `poll` and `recv`.
    let before = signal(SIGUSR2) { _ in }
    defer { signal(SIGUSR2, before) }
    let connection = try connection("sleep 0.6; echo late")
    let waiting = pthread_self()
    let thread = Thread {
      for _ in 0..<3 {
        usleep(100_000)
        pthread_kill(waiting, SIGUSR2)
      }
    }
    thread.start()
    #expect(try connection.line() == "late")
  }

  @Test func aSlowDripEndsAtTheDeadline() throws {
    let connection = try connection("while :; do printf x; sleep 0.1; done", timeoutSeconds: 0.5)
    var bytes = [UInt8](repeating: 0, count: 1000)
    #expect(throws: ChildProcess.Failure.hung(seconds: 0.5)) {
      try bytes.withUnsafeMutableBytes { try connection.read($0) }
    }
  }

  private func answered(_ line: String, to count: Int, timeoutSeconds: Double = 20) throws -> Int {
    let connection = try connection(line, timeoutSeconds: timeoutSeconds)
    return try [UInt8](repeating: 0, count: count).withUnsafeBytes {
      try connection.bytesAnswered(to: $0)
    }
  }

  /// A megabyte through a pipe without buffers, with its first 1000 bytes left out, into a program
  /// that thinks for 0.7 s before it writes 5 bytes, and into one that reads all of its input
  /// first.
  @Test(arguments: [
    ("dd bs=1000 status=none", 1_000_000), ("dd bs=1000 skip=1 status=none", 999_000),
    ("head -c 1000000 >/dev/null; sleep 0.7; echo slow; cat >/dev/null", 5),
    ("x=$(wc -c); echo $x", 0),
  ])
  func answersToAnInputThatGoesOnAreCounted(line: String, count: Int) throws {
    #expect(try answered(line, to: 1_000_000) == count)
  }

  @Test(.timeLimit(.minutes(1))) func aProgramThatLeavesItsInputHasNoAnswer() throws {
    #expect {
      _ = try answered("head -c 5; exit 3", to: 1_000_000)
    } throws: { error in
      if case ChildProcess.Failure.exited(3, _) = error { true } else { false }
    }
    #expect(throws: ChildProcess.Failure.hung(seconds: 0.5)) {
      _ = try answered("sleep 20", to: 10_000_000, timeoutSeconds: 0.5)
    }
    // A program that closes its output and lives on, whose input stays open, ends soon with a name.
    #expect(throws: ChildProcess.Failure.closedItsOutput) {
      try answered("exec 1>&-; sleep 60", to: 1000)
    }
  }

  @Test(.timeLimit(.minutes(1))) func theEndIsNamed() throws {
    let refusing = try connection("echo sorry >&2; exit 3")
    #expect(throws: ChildProcess.Failure.exited(3, errors: "sorry")) { try refusing.line() }
    let closing = try connection("exec 0<&- 1>&-; sleep 60")
    #expect(throws: ChildProcess.Failure.closedItsOutput) { try closing.line() }
  }
}
