import Foundation
import TestSupport

/// A repository of a harmonizer of thirty lines of C, with a gate of two half-second recordings.
final class ToyWorkshop {
  let toy: ToyRepository
  let builds: URL

  init() throws {
    toy = try ToyRepository()
    builds = toy.folder.file("builds")
    try TwoSounds.write(to: toy.url.appendingPathComponent("Corpus"))
    try write("shifter\nout\nReports\n", ".gitignore")
    try write(
      """
      id: mine
      kind: stream
      command: [./shifter, "{ratio}"]
      timeoutSeconds: 20
      """, "mine.yaml")
    try plan()
    try gate()
    try program()
  }

  func write(_ text: String, _ name: String) throws { try toy.write(text, name) }

  func plan(
    recordings: String = "[a, b]", metrics: String = "[level.change, pitch.abs_error]"
  ) throws {
    try write(
      """
      name: toy
      subject: mine.yaml
      recordings: \(recordings)
      scores: [{id: same, intervalsSemitones: [0]}]
      metrics: \(metrics)
      """, "plan.yaml")
  }

  func gate(_ build: String = "build: cc -O1 -o shifter shifter.c -lm") throws {
    try write("plan: plan.yaml\n\(build)\n", "gate.yaml")
  }

  /// Writes the program.
  ///
  /// - Parameters:
  ///   - gain: 1 leaves the level.
  ///   - softFromSample: first sample of the voice that is 20 dB softer; -1 for none.
  ///   - noise: peak-to-peak level of noise that differs each time.
  ///   - clickAtSample: sample of the voice with a click of −20 dBFS; -1 for none.
  ///   - softAtOnce: true for 6 dB less in voices that begin within 40 samples of the first silence of 0.1 s, as
  ///     perturbed ones do not.
  ///   - failsAfterConstant: true for no number after three seconds of the same sample other than 0.
  ///   - remark: a comment, so that the source differs and the program does not.
  func program(
    gain: Double = 1, softFromSample: Int = -1, noise: Double = 0, clickAtSample: Int = -1,
    softAtOnce: Bool = false, failsAfterConstant: Bool = false, remark: String = ""
  ) throws {
    try write(
      """
      /* \(remark) */
      #include <math.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <time.h>
      int main(void) {
        struct timespec now;
        long sung = 0; /* samples since the voice began */
        clock_gettime(CLOCK_REALTIME, &now);
        srand((unsigned)now.tv_nsec);
        float x, last = 0, first = 0;
        long equal = 0; /* samples like the last one */
        for (long n = 0; fread(&x, sizeof x, 1, stdin) == 1; n++) {
          if (sung > 0 || fabsf(x) > 0.001f) sung++;
          equal = x != 0 && x == last ? equal + 1 : 0;
          last = x;
          if (\(failsAfterConstant ? 1 : 0) && equal > 144000) x = NAN;
          x = x * \(gain) + \(noise) * ((float)rand() / RAND_MAX - 0.5f);
          if (\(softFromSample) >= 0 && sung > \(softFromSample)) x *= 0.1f;
          if (n >= 4800 && n < 4840 && x > first) first = x;
          if (\(softAtOnce ? 1 : 0) && n >= 4840 && first > 0.001f) x *= 0.5f;
          if (sung > 0 && sung - 1 == \(clickAtSample)) x += 0.1f;
          if (fwrite(&x, sizeof x, 1, stdout) != 1) return 1;
        }
        return 0;
      }

      """, "shifter.c")
  }

  @discardableResult
  func commit(_ title: String) throws -> String { try toy.commit(title) }

  func type(_ words: String...) throws -> Shell.Answer { try type(words) }

  func type(_ words: [String]) throws -> Shell.Answer {
    try Shell.run(Built.choirEval, words + ["--builds", builds.path], in: toy.url)
  }

  /// Starts choir-eval and interrupts it when a build has made the file `started`; returns the exit
  /// status.
  ///
  /// - Parameter check: called before the interruption.
  func interrupted(_ words: String..., check: () -> Void = {}) throws -> Int32 {
    let process = Process()
    let errors = Pipe()
    process.executableURL = Built.choirEval
    process.arguments = words + ["--builds", builds.path]
    process.currentDirectoryURL = toy.url
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
    try process.run()
    let mark = toy.url.appendingPathComponent("started").path
    for _ in 0..<3000 where !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
    check()
    kill(process.processIdentifier, SIGINT)
    // Ends when nothing that it started is left.
    _ = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// True if git lists no worktree but the repository itself.
  var isTidy: Bool { (try? toy.worktrees().count) == 1 }
}
