import Corpus
import DSP
import Statistics
import Subjects

/// What a live subject costs on one recording, block by block: one round of careful timing.
package struct BlockCost: Equatable, Sendable {
  package var deadlineMs: Double
  /// Time on a core, one for each block of the recording.
  package var blockMs: [Float]
  /// Of the first block after the start, which finds nothing in the caches.
  package var firstBlockMs: Double
  /// The median block in silence after the sound over the median block of the sound.
  package var silenceRatio: Double
  /// The most that the subject holds on the heap at once, its making included; `nil` where it wasn't
  /// counted.
  package var peakMemoryMB: Double?

  package init(
    deadlineMs: Double, blockMs: [Float], firstBlockMs: Double, silenceRatio: Double,
    peakMemoryMB: Double? = nil
  ) {
    self.deadlineMs = deadlineMs
    self.blockMs = blockMs
    self.firstBlockMs = firstBlockMs
    self.silenceRatio = silenceRatio
    self.peakMemoryMB = peakMemoryMB
  }
}

extension BlockCost {
  /// How long the silence is; its second half counts.
  private static let silenceSeconds = 2.0

  /// - Parameter counting: whether to count memory too, which takes a pass of its own and gives the
  ///   same each time.
  /// - Throws: where the subject can't be held at work, or the recording is shorter than a block.
  /// - Cost: two passes over the recording, or three.
  package init(
    of subject: any LiveSubject, singing score: ResolvedScore, of signal: Signal,
    settings: SubjectSettings, counting: Bool
  ) throws {
    let size = settings.blockSize
    guard signal.count >= size, size > 0 else {
      throw SubjectError.settings(
        subject: subject.id, problem: "the sound is shorter than a block of \(size) samples")
    }
    let blocks = signal.count / size
    var started: (any LiveSound)?
    let making = try HeldMemory.during {
      started = try subject.start(score, settings: settings, sampleRateHz: signal.sampleRateHz)
    }
    let sound = started!
    // Cold and with whatever is worked out once; the first block is all that counts of it.
    let first = BlockTimes(of: sound, hearing: signal, blocks: blocks, blockSize: size)
    firstBlockMs = first.cpuMs[0]
    deadlineMs = first.deadlineMs
    if counting {
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
    silenceRatio = Statistics.median(late)! / max(1e-9, Statistics.median(times.cpuMs)!)
  }

  private static func memory(
    of sound: any LiveSound, hearing signal: Signal, blockSize: Int
  ) -> HeldMemory? {
    var output = [Float](repeating: 0, count: blockSize)
    return HeldMemory.during {
      for start in stride(from: 0, through: signal.count - blockSize, by: blockSize) {
        var target = output.mutableSpan
        sound.process(
          signal.samples.span.extracting(start..<start + blockSize), into: &target)
      }
    }
  }
}
