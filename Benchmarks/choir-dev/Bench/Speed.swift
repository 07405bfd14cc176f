import ArgumentParser
import Corpus
import DSP
import Platform
import Singer
import Subjects

/// Speeds of the synthetic singer and of the pitch consensus.
struct Speed: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how much faster than real time sound is sung and its pitch agreed on.")

  func run() throws {
    for id in ["melody-frere-jacques", "scale-bass", "fricatives-alto"] {
      let performance = try Songbook.performance(id: id)
      let voice = try performance.render(sampleRateHz: 48_000).signal
      try report("sing", id, of: voice) { _ = try performance.render(sampleRateHz: 48_000) }
      report("agree", id, of: voice) { _ = PitchConsensus.truth(of: voice) }
    }
  }

  /// Prints the best of five runs: a busy machine can only slow one down.
  private func report(
    _ work: String, _ id: String, of voice: Signal, _ body: () throws -> Void
  ) rethrows {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = ThreadClock.seconds
      try body()
      best = min(best, ThreadClock.seconds - start)
    }
    print(work, id, "times real time", voice.durationSeconds / best)
  }
}
