import Statistics

extension Metric {
  /// Times of whole renderings, and of single blocks and memory, which need rounds of careful timing.
  package static let cost =
    renderings
    + percentiles.map { name, text, share in
      ofBlocks("cpu.block.\(name)", unit: "ms", "Processor time of a block: \(text)") { blocks in
        Statistics.quantile(blocks.blockMs, share)!
      }
    } + blocksAndMemory

  private static let renderings = [
    ofTime(
      "cpu.realtime_factor", "Processor time over the duration of the sound, for all voices"
    ) { _ in 1 },
    ofTime(
      "cpu.realtime_factor.per_voice",
      "Processor time over the duration of the sound, per voice"
    ) { $0.score.voices.count },
  ]

  private static let percentiles = [
    ("p50", "median", 0.5), ("p95", "95th percentile", 0.95), ("p99", "99th percentile", 0.99),
    ("p99_9", "99.9th percentile", 0.999), ("max", "maximum", 1),
  ]

  private static let blocksAndMemory = [
    ofBlocks(
      "cpu.deadline_share", unit: "ratio",
      "Largest processor time of a block over its duration"
    ) { $0.blockMs.max()! / $0.deadlineMs },
    ofBlocks(
      "cpu.deadline_share.p50", unit: "ratio",
      "Median processor time of a block over its duration"
    ) { Statistics.median($0.blockMs)! / $0.deadlineMs },
    ofBlocks(
      "cpu.deadline_missed", unit: "share", "Blocks whose processor time exceeds their duration"
    ) { blocks in
      Double(blocks.blockMs.count { $0 > blocks.deadlineMs }) / Double(blocks.blockMs.count)
    },
    ofBlocks(
      "cpu.first_block", unit: "ms", "Processor time of the first block"
    ) { $0.firstBlockMs },
    ofBlocks(
      "cpu.silence_ratio", unit: "ratio",
      "Mean block time in silence, from 1 s after the sound, over that in the sound", version: 2
    ) { $0.silenceRatio },
    Metric(
      .init(
        "memory.peak", version: 2, unit: "MB", .lower,
        "Peak memory: heap of a live subject, including its construction; all memory of a "
          + "program", describes: true),
      domain: "live subjects and programs",
      ofRounds: { cost in
        guard let peak = cost.peakMemoryMB else {
          throw CellCost.Gap.noMemory(cost.noBlocks ?? "a sanitizer has its own allocator")
        }
        return peak
      }),
  ]

  /// - Parameter parts: returns the number of parts among which the time is divided.
  private static func ofTime(
    _ id: String, _ summary: String, _ parts: @escaping @Sendable (Observation) -> Int
  ) -> Metric {
    Metric(
      .init(id, unit: "ratio", .lower, summary, describes: true),
      domain: "sounds of at least 0.1 s that are rendered by the run"
    ) { observation in
      let seconds = observation.recording.signal.durationSeconds
      guard seconds >= 0.1 else {
        throw Undefined(.tooShort, "the sound is shorter than 0.1 s")
      }
      guard let cpuSeconds = observation.rendering.cpuSeconds else {
        throw Undefined(.notTimed, "the sounds were rendered elsewhere; what that took isn't known")
      }
      let parts = Double(max(1, parts(observation)))
      return [.value(cpuSeconds / seconds / parts, count: 1)]
    }
  }

  private static func ofBlocks(
    _ id: String, unit: String, _ summary: String, version: Int = 1,
    _ value: @escaping @Sendable (CellCost.Blocks) throws -> Double
  ) -> Metric {
    Metric(
      .init(id, version: version, unit: unit, .lower, summary, describes: true),
      domain: "live subjects of this package; each block's time is the median of five rounds",
      ofRounds: { cost in
        guard let blocks = cost.blocks else {
          throw CellCost.Gap.noBlocks(cost.noBlocks ?? "there are no blocks")
        }
        return try value(blocks)
      })
  }
}
