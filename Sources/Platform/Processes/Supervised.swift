import Foundation

/// A program under a supervisor process; all its processes end with this object, and with this
/// process, even a killed one.
///
/// The supervisor is `choir-supervisor`, a program of this package. Only its standard streams are
/// passed on.
package final class Supervised {
  /// How a program ended, after all processes that it started have ended.
  package struct End: Sendable {
    /// `nil` if the program returned exit code 0.
    package var failure: ChildProcess.Failure?
    /// Processor time on all cores, with its children's.
    package var cpuSeconds: Double
    /// The largest of its own and of its children.
    package var peakMemoryMB: Double
  }

  /// Becomes readable when the supervisor has ended all processes.
  let outcome: FileDescriptor
  private let program: String
  private let pid: pid_t
  /// Its end makes the supervisor kill all processes.
  private var lifeline: FileDescriptor?
  private var isWaitedFor = false

  /// Time in which the supervisor kills all processes; it gives up after 10 s itself.
  static let killSeconds = 15.0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its file.
  ///   - arguments: the first is the name that the program sees.
  ///   - streams: descriptors for standard input, output and error.
  ///   - memoryMB: limit of the address space; 0 for none.
  ///   - fileMB: limit of each written file; 0 for none.
  package init(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: URL,
    streams: (input: Int32, output: Int32, errors: Int32), memoryMB: Double, fileMB: Double
  ) throws(ChildProcess.Failure) {
    guard let supervisor = ProgramFile.companion("choir-supervisor") else {
      throw .notStarted(
        program,
        reason: "choir-supervisor, which runs programs for choir-eval, is not beside it; copy it "
          + "there, or build it: swift build --product choir-supervisor")
    }
    let (line, end) = (try Endpoints(socketFor: program), try Endpoints(socketFor: program))
    // Above the numbers that the supervisor has them under.
    let passed = [streams.input, streams.output, streams.errors, line.theirs, end.theirs].map {
      FileDescriptor(fcntl($0, F_DUPFD_CLOEXEC, 10))
    }
    guard passed.allSatisfy({ $0.number >= 0 }) else { throw .notStarted(program, code: errno) }
    let words =
      [supervisor, folder.path, "\(UInt64(memoryMB * 1_048_576))", "\(UInt64(fileMB * 1_048_576))"]
      + [program] + arguments
    let variables = environment.sorted { $0.key < $1.key }.map { "+\($0.key)=\($0.value)" }
    var number = pid_t()
    let failure = Self.spawn(&number, words, variables, passed.map(\.number))
    guard failure == 0 else { throw .notStarted(program, code: failure) }
    (self.program, pid) = (program, number)
    (lifeline, outcome) = (line.releaseOurs(), end.releaseOurs())
  }

  deinit { _ = finish() }

  /// Starts the supervisor in a process group of its own, as Ctrl-C lets running cells finish.
  ///
  /// - Parameter descriptors: those that it has as 0, 1, 2 and so on.
  /// - Returns: the system's error number, or 0.
  private static func spawn(
    _ pid: inout pid_t, _ words: [String], _ variables: [String], _ descriptors: [Int32]
  ) -> Int32 {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (place, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
    }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let (arguments, environment) = (words.map { strdup($0) }, variables.map { strdup($0) })
    defer { for text in arguments + environment { free(text) } }
    return posix_spawn(
      &pid, words[0], &actions, &attributes, arguments + [nil], environment + [nil])
  }

  /// Makes the supervisor kill all processes, even if the program has stopped it.
  package func end() {
    lifeline = nil
    if !isWaitedFor { kill(pid, SIGCONT) }
  }

  /// Waits until all processes have ended by themselves.
  func hasEnded(withinSeconds seconds: Double) -> Bool {
    outcome.isReadable(withinSeconds: seconds)
  }

  /// Ends all processes that have not ended, and returns how the program ended.
  ///
  /// - Returns: `nil` if the supervisor was killed, also by this call because it did not answer.
  package func finish() -> End? {
    guard !isWaitedFor else { return nil }
    if !hasEnded(withinSeconds: 0) {
      end()
      if !hasEnded(withinSeconds: Self.killSeconds) { kill(pid, SIGKILL) }
    }
    // The layout of `report` in choir-supervisor.
    var report: (status: Int64, startError: Int64, cpuMicroseconds: Int64, peakKilobytes: Int64) =
      (0, 0, 0, 0)
    let size = MemoryLayout.size(ofValue: report)
    let count = recv(outcome.number, &report, size, Int32(MSG_WAITALL))
    end()
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    isWaitedFor = true
    guard count == size else { return nil }
    return End(
      failure: failure(status: Int32(report.status), startError: Int32(report.startError)),
      cpuSeconds: Double(report.cpuMicroseconds) * 1e-6,
      peakMemoryMB: Double(report.peakKilobytes) / 1024)
  }

  private func failure(status: Int32, startError: Int32) -> ChildProcess.Failure? {
    if startError != 0 { return .notStarted(program, code: startError) }
    let (signal, code) = (status & 0x7f, (status >> 8) & 0xff)
    if signal != 0 { return .killed(signal: signal, errors: "") }
    return code == 0 ? nil : .exited(code, errors: "")
  }
}

extension FileDescriptor {
  /// Waits until there is something to read, or the other end is closed.
  fileprivate func isReadable(withinSeconds seconds: Double) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, deadline.pollMs) > 0 { return true }
      if ContinuousClock.now >= deadline { return false }
    }
  }
}

extension ContinuousClock.Instant {
  /// The time from now to this instant for `poll`: at least 0, at most a minute.
  var pollMs: Int32 {
    let ms = ContinuousClock.now.duration(to: self) / .milliseconds(1)
    return Int32(min(max(0, ms.rounded(.up)), 60_000))
  }
}
