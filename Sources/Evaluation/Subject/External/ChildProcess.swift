import Foundation

/// A program of somebody else's, run with bounds on time and memory; it takes whatever it started
/// with it when it has to go.
struct ChildProcess: Sendable {
  /// The program first: a path, or a name that `PATH` knows.
  var arguments: [String]
  var timeoutSeconds = 60.0
  /// Of address space; more makes its allocations fail.
  var memoryMB = 4096.0
  /// Where it starts.
  var folder: URL

  /// What came of a run that ended by itself with 0.
  struct Outcome: Sendable {
    /// On all cores, its own children included.
    var cpuSeconds: Double
    var peakMemoryMB: Double
    var output: String
  }

  /// How a run may end badly; each kind has a name of its own in results.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case exited(Int32, errors: String)
    case killed(signal: Int32, errors: String)
    case hung(seconds: Double)

    var description: String {
      switch self {
      case .notFound(let program):
        "not found: there is no program '\(program)'; install it, or name it with its path"
      case .exited(let code, let errors): "failed: exit code \(code)\(Self.quoted(errors))"
      case .killed(let signal, let errors):
        "crashed: \(Self.name(of: signal))\(Self.quoted(errors))"
      case .hung(let seconds): "hung: not done after \(seconds) s (timeoutSeconds)"
      }
    }

    private static func quoted(_ errors: String) -> String {
      errors.isEmpty ? ", and it said nothing" : "; it said: \(errors)"
    }

    private static func name(of signal: Int32) -> String {
      let names = [
        SIGABRT: "aborted", SIGSEGV: "segmentation fault", SIGFPE: "arithmetic fault",
        SIGILL: "illegal instruction", SIGBUS: "bus error", SIGKILL: "killed",
      ]
      return names[signal].map { "\($0) (signal \(signal))" } ?? "signal \(signal)"
    }
  }

  /// Waits until it is done.
  ///
  /// - Parameter input: a file for its standard input; nothing where there is none.
  func run(input: URL? = nil, output: URL? = nil) throws -> Outcome {
    let scratch = Scratch.folder
    let errors = scratch.appendingPathComponent("choir-eval-\(UUID().uuidString).err")
    let said = output ?? scratch.appendingPathComponent("choir-eval-\(UUID().uuidString).out")
    defer {
      try? FileManager.default.removeItem(at: errors)
      if output == nil { try? FileManager.default.removeItem(at: said) }
    }
    let pid = try spawned(input?.path ?? "/dev/null", said.path, errors.path)
    let (status, usage) = try awaited(pid)
    let code = status & 0x7f
    let text = Self.tail(of: errors)
    guard code == 0 else { throw Failure.killed(signal: code, errors: text) }
    let exit = (status >> 8) & 0xff
    if exit == 127 { throw Failure.notFound(arguments[0]) }
    guard exit == 0 else { throw Failure.exited(exit, errors: text) }
    return Outcome(
      cpuSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
      peakMemoryMB: Double(usage.ru_maxrss) / 1024,
      output: output == nil ? (try? String(contentsOf: said, encoding: .utf8)) ?? "" : "")
  }

  private func spawned(_ input: String, _ output: String, _ errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that its children can be stopped with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    // Both end by becoming the next, so that what is awaited is the program itself.
    let bounded =
      ["prlimit", "--as=\(Int(memoryMB * 1_048_576))", "env", "-C", folder.path] + arguments
    var words = bounded.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid = pid_t()
    guard posix_spawnp(&pid, bounded[0], &actions, &attributes, &words, environ) == 0 else {
      throw Failure.notFound("prlimit (of util-linux)")
    }
    return pid
  }

  private func awaited(_ pid: pid_t) throws -> (status: Int32, usage: rusage) {
    let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(timeoutSeconds * 1e9)
    var (status, usage) = (Int32(0), rusage())
    var pauseMicroseconds: UInt32 = 200
    while wait4(pid, &status, WNOHANG, &usage) == 0 {
      if DispatchTime.now().uptimeNanoseconds > deadline {
        kill(-pid, SIGKILL)
        wait4(pid, &status, 0, &usage)
        throw Failure.hung(seconds: timeoutSeconds)
      }
      usleep(pauseMicroseconds)
      pauseMicroseconds = min(20_000, pauseMicroseconds * 2)
    }
    return (status, usage)
  }

  /// The last line or two, without what only fills a terminal.
  private static func tail(of file: URL) -> String {
    guard let data = try? Data(contentsOf: file) else { return "" }
    let text = String(decoding: data.suffix(2000), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    return String(lines.suffix(3).joined(separator: " / ").suffix(400))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
  }
}
