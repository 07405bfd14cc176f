import ChildSupervisor
import Files
import Foundation

/// A program of somebody else's, run with bounds on time, memory and what it writes. Nothing that it
/// started goes on after it, however it ends, and nor does it where this process is killed.
package struct ChildProcess: Sendable {
  /// The program first: a path, or a name that `PATH` knows.
  package var arguments: [String]
  package var timeoutSeconds: Double
  /// Of address space; more makes its allocations fail.
  package var memoryMB: Double
  /// Of each file that it writes.
  package var fileMB: Double
  /// Where it starts.
  package var folder: URL
  package var environment: [String: String]
  /// Of standard output; what is more is dropped.
  var outputBytes: Int
  /// More output than `outputBytes` ends the program.
  var refusesMoreOutput: Bool

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

  /// What came of a run that ended by itself with 0.
  package struct Outcome: Sendable {
    /// On all cores, its own children included.
    var cpuSeconds: Double
    var peakMemoryMB: Double
    var output: Data
    /// The end of standard error.
    var errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// How a run may end badly; each kind has a name of its own in results.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case notStarted(String, reason: String)
    case exited(Int32, errors: String)
    case killed(signal: Int32, errors: String)
    case hung(seconds: Double)
    case tooMuchOutput(bytes: Int)

    package var description: String {
      switch self {
      case .notFound(let program):
        "not found: there is no program '\(program)'; install it, or name it with its path"
      case .notStarted(let program, let reason):
        "not started: '\(program)' can't be run: \(reason)"
      case .exited(let code, let errors): "failed: exit code \(code)\(Self.quoted(errors))"
      case .killed(let signal, let errors):
        "crashed: \(Self.name(of: signal))\(Self.quoted(errors))"
      case .hung(let seconds): "hung: not done after \(seconds) s (timeoutSeconds)"
      case .tooMuchOutput(let bytes):
        "wrong length: wrote more than \(bytes) bytes to standard output"
      }
    }

    private static func quoted(_ errors: String) -> String {
      errors.isEmpty ? ", and it said nothing" : "; it said: \(errors)"
    }

    private static func name(of signal: Int32) -> String {
      let names = [
        SIGABRT: "aborted", SIGSEGV: "segmentation fault", SIGFPE: "arithmetic fault",
        SIGILL: "illegal instruction", SIGBUS: "bus error", SIGKILL: "killed",
        SIGXFSZ: "wrote a file larger than it may",
      ]
      return names[signal].map { "\($0) (signal \(signal))" } ?? "signal \(signal)"
    }
  }

  /// Waits until it is done.
  ///
  /// - Parameter input: a file for its standard input; nothing where there is none.
  package func run(input: URL? = nil) throws -> Outcome {
    let program = try found()
    let inputFile = open(input?.path ?? "/dev/null", O_RDONLY | O_CLOEXEC)
    guard inputFile >= 0 else { throw notStarted(errno) }
    defer { close(inputFile) }
    let (output, errors) = (try Ends(), try Ends())
    let supervised = try Supervised(
      program, arguments, environment, folder: folder,
      streams: (inputFile, output.write, errors.write), memoryMB: memoryMB, fileMB: fileMB)
    output.closeWrite()
    errors.closeWrite()
    return try followed(supervised, output, errors)
  }

  private func found() throws -> String {
    guard let path = ProgramFile.path(of: arguments[0], in: folder, environment) else {
      throw Failure.notFound(arguments[0])
    }
    return path
  }

  private func notStarted(_ number: Int32) -> Failure {
    .notStarted(arguments[0], reason: String(cString: strerror(number)))
  }

  /// Reads what it says until it and all that it started have ended.
  private func followed(
    _ supervised: Supervised, _ output: Ends, _ errors: Ends
  ) throws -> Outcome {
    let deadline = WallClock.seconds + timeoutSeconds
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
      let left = end == nil ? max(0, deadline - WallClock.seconds) : 15
      let ready = poll(&files, 3, Int32(min(left * 1000 + 1, 3_600_000)))
      if ready == 0, end != nil { break }  // it can't even be killed
      if end == nil, WallClock.seconds >= deadline {
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
      // What is still in the pipes comes first.
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

  /// The last line or two, without what only fills a terminal or would move its cursor.
  static func tail(of data: Data) -> String {
    let text = String(decoding: data.suffix(2000), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { String($0).printable.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    return String(lines.suffix(3).joined(separator: " / ").suffix(400))
  }

  /// A pipe, closed with this object.
  private final class Ends {
    let read: Int32
    private(set) var write: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard child_pipe(&ends) == 0 else {
        throw Failure.notStarted("pipe", reason: String(cString: strerror(errno)))
      }
      (read, write) = (ends[0], ends[1])
    }

    func closeWrite() {
      if write >= 0 { close(write) }
      write = -1
    }

    deinit {
      closeWrite()
      close(read)
    }
  }
}

/// A program under its supervisor; all of it ends with this object.
package final class Supervised {
  /// To be read when the supervisor has ended all.
  let outcome: Int32
  private let pid: pid_t
  private var lifeline: Int32
  private var isWaitedFor = false

  /// - Parameters:
  ///   - program: its file.
  ///   - streams: for standard input, output and error.
  ///   - memoryMB: 0 is no bound, nor is it of `fileMB`.
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

  /// Has the supervisor kill it all.
  package func end() {
    if lifeline >= 0 { close(lifeline) }
    lifeline = -1
  }

  /// How it ended; `nil` where somebody killed the supervisor.
  func waited() -> child_end? {
    var found = child_end()
    let size = MemoryLayout<child_end>.size
    let count = read(outcome, &found, size)
    end()
    waitpid(pid, nil, 0)
    isWaitedFor = true
    return count == size ? found : nil
  }
}
