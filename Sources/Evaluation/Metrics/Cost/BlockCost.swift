import AllocationProbe
import Corpus
import DSP
import Platform
import Statistics
import Subjects

/// The cost of a cell in one round of timing.
package struct CostRound: Equatable, Sendable {
  /// Processor time of the whole rendering.
  package var cpuSeconds: Double
  /// Peak memory of an external program; that of a live subject is in `blocks`.
  package var peakMemoryMB: Double?
  package var blocks: BlockCost?
  /// The reason why there are no blocks.
  package var noBlocks: String?

  package init(
    cpuSeconds: Double, peakMemoryMB: Double? = nil, blocks: BlockCost? = nil,
    noBlocks: String? = nil
  ) {
    (self.cpuSeconds, self.peakMemoryMB) = (cpuSeconds, peakMemoryMB)
    (self.blocks, self.noBlocks) = (blocks, noBlocks)
  }
}

/// The cost of a live subject on one recording, block by block, in one round of timing.
package struct BlockCost: Equatable, Sendable {
  package var deadlineMs: Double
  /// Processor time of each block of the recording.
  package var blockMs: [Float]
  /// Processor time of the first block after the start, with cold caches.
  package var firstBlockMs: Double
  /// The median block in silence after the sound over the median block of the sound.
  package var silenceRatio: Double
  /// Peak heap memory of the subject, with its creation; `nil` if it was not counted.
  package var peakMemoryMB: Double?

  package init(
    deadlineMs: Double, blockMs: [Float], firstBlockMs: Double, silenceRatio: Double,
    peakMemoryMB: Double? = nil
  ) {
    (self.deadlineMs, self.blockMs, self.firstBlockMs) = (deadlineMs, blockMs, firstBlockMs)
    (self.silenceRatio, self.peakMemoryMB) = (silenceRatio, peakMemoryMB)
  }
}

extension BlockCost {
  /// Duration of the silence; its second half is measured.
  private static let silenceSeconds = 2.0

  /// Measures one round.
  ///
  /// - Parameter counting: true to count memory too, in a further pass; the count is the same in
  ///   every round.
  /// - Throws: an error if the subject can't start, or if the recording is shorter than a block.
  /// - Cost: two passes over the recording, or three.
  package init(
    of subject: any LiveSubject, singing score: ResolvedScore, of signal: Signal,
    settings: SubjectSettings, counting: Bool
  ) throws {
    let size = settings.blockSize
    guard signal.count >= size, size > 0 else {
      throw Refusal(
        subject.id, "the sound is shorter than a block of \(size) samples; set a smaller blockSize")
    }
    let blocks = signal.count / size
    var started: (any LiveSound)?
    let making = try HeldMemory.during {
      started = try subject.start(score, settings: settings, sampleRateHz: signal.sampleRateHz)
    }
    let sound = started!
    // Cold caches and one-time work: only the first block of this pass counts.
    let first = BlockTimes(of: sound, hearing: signal, blocks: blocks, blockSize: size)
    firstBlockMs = first.cpuMs[0]
    deadlineMs = first.deadlineMs
    // Another process's heap can't be counted from here.
    if counting, sound.workElsewhere == nil {
      sound.reset()
      let playing = Self.memory(of: sound, hearing: signal, blockSize: size)
      if let making, let playing {
        let peak = max(making.peakBytes, making.heldBytes + playing.peakBytes)
        peakMemoryMB = Double(peak) / 1_048_576
      }
    }
    sound.reset()
    let times = BlockTimes(of: sound, hearing: signal, blocks: blocks, blockSize: size)
    blockMs = times.cpuMs.map { Float($0) }
    let silence = Signal(
      [Float](repeating: 0, count: max(size, signal.count)), sampleRateHz: signal.sampleRateHz)
    let quietBlocks = max(2, Int(Self.silenceSeconds * signal.sampleRateHz) / size)
    let quiet = BlockTimes(of: sound, hearing: silence, blocks: quietBlocks, blockSize: size)
    let late = Array(quiet.cpuMs.suffix(quietBlocks / 2))
    if let failure = sound.failure { throw failure }
    // Means: an engine with a hop longer than a block does nothing in most blocks.
    silenceRatio = Statistics.mean(late)! / max(1e-9, Statistics.mean(times.cpuMs)!)
  }

  private static func memory(
    of sound: any LiveSound, hearing signal: Signal, blockSize: Int
  ) -> HeldMemory? {
    var output = [Float](repeating: 0, count: blockSize)
    return HeldMemory.during {
      for start in stride(from: 0, through: signal.count - blockSize, by: blockSize) {
        var target = output.mutableSpan
        sound.process(signal.samples.span.extracting(start..<start + blockSize), into: &target)
      }
    }
  }
}

/// The heap memory of a piece of work, on its own thread.
struct HeldMemory: Equatable, Sendable {
  /// Peak memory above that at the start.
  var peakBytes: Int
  /// Memory above that at the start that is still held at the end.
  var heldBytes: Int

  /// Measures a piece of work.
  ///
  /// - Returns: `nil` under sanitizers, whose allocators can't be counted.
  static func during(_ work: () throws -> Void) rethrows -> HeldMemory? {
    allocation_probe_start()
    defer { _ = allocation_probe_stop() }
    try work()
    _ = allocation_probe_stop()
    guard allocation_probe_is_live() != 0 else { return nil }
    let counts = allocation_probe_counts()
    return HeldMemory(peakBytes: counts.peak_bytes, heldBytes: counts.held_bytes)
  }
}
