import Foundation

/// A JACK server of its own on the dummy driver, which needs no sound card. It ends with its owner.
///
/// Programs find it by `environment`, clients of this process by its name. The variables of this process
/// stay as they are: other tests read them at the same time, and `setenv` frees what they read.
package final class JackServer {
  package static let program = "/usr/bin/jackd"
  package static let isInstalled = access(program, X_OK) == 0
  package static let advice = "jackd is not installed: apt-get install jackd2"

  package let name = "choir-\(UUID().uuidString.prefix(8))"
  private let process = Process()

  package init(rateHz: Int = 48_000, blockSize: Int = 64) throws {
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [
      "-n", name, "--no-realtime", "--no-mlock", "-d", "dummy", "-r", "\(rateHz)", "-p",
      "\(blockSize)",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["JACK_NO_AUDIO_RESERVATION"] = "1"
    process.environment = environment
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    // Its sockets are there when it takes clients.
    for _ in 0..<1000 where !isReady { usleep(10_000) }
  }

  deinit { stop() }

  /// Variables that make a program use this server.
  package var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["JACK_DEFAULT_SERVER": name]) { $1 }
  }

  /// Ends the server under the feet of its clients.
  package func stop() {
    guard process.isRunning else { return }
    // A killed server would keep one of the eight places of the machine's list of servers.
    process.terminate()
    process.waitUntilExit()
  }

  private var isReady: Bool {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    return files.contains { $0.contains(name) }
  }
}
