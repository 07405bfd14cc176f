import Foundation
import Testing

/// A run that is killed while programs of its subject work.
@Suite struct KilledRunTests {
  /// Number of processes with this command line.
  private func count(_ words: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let wanted = Data(words.split(separator: " ").joined(separator: "\0").utf8)
    return names.count { name in
      guard Int(name) != nil,
        let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { return false }
      return line.starts(with: wanted)
    }
  }

  /// A sleeping child for each of two cells, and one in a session of its own whose
  /// parent has ended.
  @Test func nothingOutlivesIt() throws {
    let bench = try GateTests.Bench()
    // The duration identifies the processes.
    let sleep = "sleep 6\(Int.random(in: 100_000_000...999_999_999))"
    try bench.subject("(setsid \(sleep) &); \(sleep)", timeoutSeconds: 600)
    let run = Process()
    run.executableURL = Built.choirEval
    run.arguments = ["run", "Corpus/plans/tiny.yaml", "--jobs", "2"]
    run.currentDirectoryURL = bench.folder
    (run.standardOutput, run.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try run.run()
    for _ in 0..<600 where count(sleep) < 4 { usleep(100_000) }
    #expect(count(sleep) == 4)
    kill(run.processIdentifier, SIGKILL)
    run.waitUntilExit()
    for _ in 0..<600 where count(sleep) > 0 { usleep(100_000) }
    #expect(count(sleep) == 0)
  }
}
