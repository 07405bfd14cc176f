import ChildSupervisor
import Files
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
    case cancelled

    package var description: String {
      switch self {
      case .notFound(let program):
        "not found: there is no program '\(program)'; install it, or name it with its path"
      case .notStarted(let program, let reason):
        "not started: '\(program)' can't be run: \(reason); check the file and its permissions"
      case .exited(let code, let errors): "failed: exit code \(code)\(Self.quoted(errors))"
      case .killed(let signal, let errors):
        "crashed: \(Self.name(of: signal))\(Self.quoted(errors))"
      case .hung(let seconds):
        "hung: still running after \(seconds) s; raise timeoutSeconds if it needs longer"
      case .tooMuchOutput(let bytes):
        "wrong length: wrote more than \(bytes) bytes to standard output"
      case .cancelled: "cancelled: ended on request; run it again"
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
    let inputFile = open(input?.path ?? "/dev/null", O_RDONLY | O_CLOEXEC)
    guard inputFile >= 0 else { throw notStarted(errno) }
    defer { close(inputFile) }
    let (output, errors) = (try PipeEnds(), try PipeEnds())
    let supervised = try Supervised(
      program, arguments, environment, folder: folder,
      streams: (inputFile, output.write, errors.write), memoryMB: memoryMB, fileMB: fileMB)
    output.closeWrite()
    errors.closeWrite()
    return try followed(supervised, output, errors)
  }

  func found() throws -> String {
    guard let path = ProgramFile.path(of: arguments[0], in: folder, environment) else {
      throw Failure.notFound(arguments[0])
    }
    return path
  }

  private func notStarted(_ number: Int32) -> Failure {
    .notStarted(arguments[0], reason: String(cString: strerror(number)))
  }

  /// Reads its output until it and all processes that it started have ended.
  private func followed(
    _ supervised: Supervised, _ output: PipeEnds, _ errors: PipeEnds
  ) throws -> Outcome {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var (said, complaint) = (Data(), Data())
    var end: Failure?
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func take(_ file: Int32, _ use: (ArraySlice<UInt8>) -> Void) -> Bool {
      let count = read(file, &buffer, buffer.count)
      if count > 0 { use(buffer[..<count]) }
      return count > 0
    }
    var (hearsOutput, hearsErrors) = (true, true)
    while true {
      var files = [
        pollfd(fd: supervised.outcome, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hearsOutput ? output.read : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hearsErrors ? errors.read : -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = end == nil ? max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1)) : 15
      let longest = isCancelled != nil && end == nil ? 0.2 : 3600
      let ready = poll(&files, 3, Int32(min(left, longest) * 1000 + 1))
      if ready == 0, end != nil { break }  // could not be killed within 15 s
      if end == nil, let isCancelled, isCancelled() {
        end = .cancelled
        supervised.end()
      }
      if end == nil, ContinuousClock.now >= deadline {
        end = .hung(seconds: timeoutSeconds)
        supervised.end()
      }
      if files[1].revents != 0 {
        hearsOutput = take(output.read) { bytes in
          said += bytes.prefix(max(0, outputBytes - said.count))
          if said.count >= outputBytes, refusesMoreOutput, bytes.count > 0, end == nil {
            end = .tooMuchOutput(bytes: outputBytes)
            supervised.end()
          }
        }
      }
      if files[2].revents != 0 {
        hearsErrors = take(errors.read) { bytes in
          complaint = (complaint + bytes).suffix(4000)
        }
      }
      // Read the rest of both pipes first.
      if files[0].revents != 0, !hearsOutput, !hearsErrors { break }
    }
    let found = supervised.waited()
    if let end { throw end }
    let text = Self.tail(of: complaint)
    guard let found else { throw Failure.killed(signal: SIGKILL, errors: "its supervisor ended") }
    guard found.start_error == 0 else { throw notStarted(found.start_error) }
    let signal = found.status & 0x7f
    guard signal == 0 else { throw Failure.killed(signal: signal, errors: text) }
    let code = (found.status >> 8) & 0xff
    guard code == 0 else { throw Failure.exited(code, errors: text) }
    return Outcome(
      cpuSeconds: Double(found.cpu_microseconds) * 1e-6,
      peakMemoryMB: Double(found.peak_kilobytes) / 1024, output: said, errors: text)
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

/// A program under a supervisor process; all its processes end with this object.
package final class Supervised {
  /// A file descriptor, readable when the supervisor has ended all processes.
  let outcome: Int32
  private let pid: pid_t
  private var lifeline: Int32
  private var isWaitedFor = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its file.
  ///   - streams: descriptors for standard input, output and error.
  ///   - memoryMB: limit of the address space; 0 for none.
  ///   - fileMB: limit of each written file; 0 for none.
  package init(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: URL,
    streams: (input: Int32, output: Int32, errors: Int32), memoryMB: Double, fileMB: Double
  ) throws {
    let words = arguments.map { strdup($0) } + [nil]
    let values =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
      + [nil]
    defer { for text in words + values { free(text) } }
    var (line, end) = (Int32(-1), Int32(-1))
    let supervisor = words.withUnsafeBufferPointer { words in
      values.withUnsafeBufferPointer { values in
        program.withCString { program in
          folder.path.withCString { folder in
            var start = child_start(
              program: program, arguments: words.baseAddress, environment: values.baseAddress,
              folder: folder, input: streams.input, output: streams.output,
              errors: streams.errors, memory_bytes: UInt64(memoryMB * 1_048_576),
              file_bytes: UInt64(fileMB * 1_048_576))
            return child_supervise(&start, &line, &end)
          }
        }
      }
    }
    guard supervisor > 0 else {
      throw ChildProcess.Failure.notStarted(program, reason: String(cString: strerror(errno)))
    }
    (pid, lifeline, outcome) = (supervisor, line, end)
  }

  deinit {
    end()
    if !isWaitedFor { _ = waited() }
    close(outcome)
  }

  /// Makes the supervisor kill all processes.
  package func end() {
    if lifeline >= 0 { close(lifeline) }
    lifeline = -1
  }

  /// Waits for the end; returns `nil` if the supervisor was killed.
  package func waited() -> child_end? {
    var found = child_end()
    let size = MemoryLayout<child_end>.size
    let count = read(outcome, &found, size)
    end()
    waitpid(pid, nil, 0)
    isWaitedFor = true
    return count == size ? found : nil
  }
}
