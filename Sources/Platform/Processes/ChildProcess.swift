import Foundation

/// An external program, run with limits on time, memory and output. All processes that it started end
/// with it, and with this process, even a killed one.
package struct ChildProcess: Sendable {
  /// The program, a path or a name in `PATH`, and its arguments.
  package var arguments: [String]
  package var timeoutSeconds: Double
  /// Limit of the address space; allocations beyond it fail.
  package var memoryMB: Double
  /// Limit of each file that it writes.
  package var fileMB: Double
  /// The working directory.
  package var folder: URL
  package var environment: [String: String]
  /// Limit of the kept standard output; the rest is dropped.
  package var outputBytes: Int
  /// Ends the program if it writes more than `outputBytes`.
  package var refusesMoreOutput: Bool
  /// Asked several times a second; ends the program once it returns true.
  package var isCancelled: (@Sendable () -> Bool)?

  package init(
    arguments: [String], timeoutSeconds: Double = 60, memoryMB: Double = 4096,
    fileMB: Double = 4096, folder: URL,
    environment: [String: String] = ChildEnvironment.passedOn, outputBytes: Int = 65_536,
    refusesMoreOutput: Bool = false
  ) {
    (self.arguments, self.folder, self.environment) = (arguments, folder, environment)
    (self.timeoutSeconds, self.memoryMB, self.fileMB) = (timeoutSeconds, memoryMB, fileMB)
    (self.outputBytes, self.refusesMoreOutput) = (outputBytes, refusesMoreOutput)
  }

  /// The result of a run that ended with exit code 0.
  package struct Outcome: Sendable {
    /// Processor time on all cores, with its children's.
    package var cpuSeconds: Double
    package var peakMemoryMB: Double
    package var output: Data
    /// The end of standard error.
    package var errors: String
    /// The first lines of standard error, without those that a carriage return overwrites: a progress
    /// bar is no remark.
    package var remarks: [String]

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// A failed run; each kind has a name of its own in results.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case notStarted(String, reason: String)
    case exited(Int32, errors: String)
    case killed(signal: Int32, errors: String)
    case hung(seconds: Double)
    case tooMuchOutput(bytes: Int)
    case closedItsOutput
    case supervisorGone
    case cancelled

    package var description: String {
      switch self {
      case .notFound(let program):
        "not found: there is no program '\(program)'; install it, or name it with its path"
      case .notStarted(let program, let reason):
        "not started: '\(program)' can't be run: \(reason)"
      case .exited(let code, let errors): "failed: exit code \(code)\(Self.quoted(errors))"
      case .killed(let signal, let errors):
        "crashed: \(Self.name(of: signal))\(Self.quoted(errors))"
      case .hung(let seconds):
        "hung: still running after \(seconds) s; raise timeoutSeconds if it needs longer"
      case .tooMuchOutput(let bytes):
        "wrong length: wrote more than \(bytes) bytes to standard output"
      case .closedItsOutput:
        "failed: closed its output and went on; keep standard output open until the input ends"
      case .supervisorGone:
        "crashed: its supervisor, choir-supervisor, was killed; let the program leave it alone, or "
          + "free some memory"
      case .cancelled: "cancelled: ended on request; run it again"
      }
    }

    /// A system call that failed with an error number.
    static func notStarted(_ program: String, code: Int32) -> Failure {
      let remedy =
        switch code {
        case EMFILE, ENFILE: "raise the limit of open files with ulimit -n, or lower --jobs"
        case EAGAIN, ENOMEM: "free some memory or processes, or lower --jobs"
        case E2BIG: "shorten its command line or environment"
        default: "check the file and its permissions"
        }
      return .notStarted(program, reason: "\(String(cString: strerror(code))); \(remedy)")
    }

    /// The failure with the end of standard error.
    func quoting(_ errors: String) -> Failure {
      switch self {
      case .exited(let code, _): .exited(code, errors: errors)
      case .killed(let signal, _): .killed(signal: signal, errors: errors)
      default: self
      }
    }

    private static func quoted(_ errors: String) -> String {
      errors.isEmpty ? ", without a message" : "; standard error: \(errors)"
    }

    private static func name(of signal: Int32) -> String {
      let names = [
        SIGABRT: "aborted", SIGSEGV: "segmentation fault", SIGFPE: "arithmetic fault",
        SIGILL: "illegal instruction", SIGBUS: "bus error", SIGKILL: "killed",
        SIGXFSZ: "wrote a file above the limit",
      ]
      return names[signal].map { "\($0) (signal \(signal))" } ?? "signal \(signal)"
    }
  }

  /// Runs the program and waits for its end.
  ///
  /// - Parameter input: a file for its standard input; `nil` for an empty input.
  package func run(input: URL? = nil) throws -> Outcome {
    let program = try found()
    let inputFile = FileDescriptor(open(input?.path ?? "/dev/null", O_RDONLY | O_CLOEXEC))
    guard inputFile.number >= 0 else { throw Failure.notStarted(program, code: errno) }
    let (output, errors) = (try Endpoints(pipeFor: program), try Endpoints(pipeFor: program))
    let supervised = try Supervised(
      program, arguments, environment, folder: folder,
      streams: (inputFile.number, output.theirs, errors.theirs), memoryMB: memoryMB,
      fileMB: fileMB)
    output.closeTheirs()
    errors.closeTheirs()
    return try followed(supervised, output.ours, errors.ours)
  }

  func found() throws(Failure) -> String {
    guard let path = ProgramFile.path(of: arguments[0], in: folder, environment) else {
      throw .notFound(arguments[0])
    }
    return path
  }

  /// Reads its output until it and all processes that it started have ended.
  private func followed(
    _ supervised: Supervised, _ output: Int32, _ errors: Int32
  ) throws(Failure) -> Outcome {
    var limit = ContinuousClock.now + .seconds(timeoutSeconds)
    var (text, opening, complaints) = (Data(), Data(), Data())
    var refusal: Failure?
    func stop(_ failure: Failure) {
      guard refusal == nil else { return }
      refusal = failure
      supervised.end()
      limit = .now + .seconds(Supervised.killSeconds)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Reads a part; returns false at the end.
    func readPart(_ file: Int32, _ use: (ArraySlice<UInt8>) -> Void) -> Bool {
      let count = read(file, &buffer, buffer.count)
      if count > 0 { use(buffer[..<count]) }
      return count > 0 || count < 0 && errno == EINTR
    }
    var (isRunning, outputIsOpen, errorsAreOpen) = (true, true, true)
    while isRunning || outputIsOpen || errorsAreOpen {
      var files = [
        pollfd(fd: isRunning ? supervised.outcome.number : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: outputIsOpen ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorsAreOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      // After the end the pipes hold the rest. Only a process that could not be killed keeps them
      // open, and is not waited for.
      let waitMs = isRunning ? limit.pollMs : 0
      let ready = poll(&files, 3, isCancelled == nil ? waitMs : min(waitMs, 200))
      if ready == 0, !isRunning { break }
      if isCancelled?() == true { stop(.cancelled) }
      if ContinuousClock.now >= limit {
        if refusal != nil { break }
        stop(.hung(seconds: timeoutSeconds))
      }
      if files[1].revents != 0 {
        outputIsOpen = readPart(output) { bytes in
          text += bytes.prefix(max(0, outputBytes - text.count))
          if text.count >= outputBytes, refusesMoreOutput {
            stop(.tooMuchOutput(bytes: outputBytes))
          }
        }
      }
      if files[2].revents != 0 {
        errorsAreOpen = readPart(errors) { bytes in
          opening += bytes.prefix(max(0, 4000 - opening.count))
          complaints = (complaints + bytes).suffix(4000)
        }
      }
      if files[0].revents != 0 { isRunning = false }
    }
    let end = supervised.finish()
    if let refusal { throw refusal }
    guard let end else { throw .supervisorGone }
    let tail = Self.tail(of: complaints)
    if let failure = end.failure { throw failure.quoting(tail) }
    return Outcome(
      cpuSeconds: end.cpuSeconds, peakMemoryMB: end.peakMemoryMB, output: text, errors: tail,
      remarks: Self.remarks(in: opening))
  }

  private static func remarks(in data: Data) -> [String] {
    let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
    let lines = text.split(separator: "\n").filter { !$0.unicodeScalars.contains("\r") }
      .map { String($0).printable.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    return Array(lines.uniqued().prefix(6))
  }

  /// Returns the last three lines of a text, printable, at most 400 characters.
  package static func tail(of data: Data) -> String {
    let text = String(decoding: data.suffix(2000), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { String($0).printable.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    return String(lines.suffix(3).joined(separator: " / ").suffix(400))
  }
}
