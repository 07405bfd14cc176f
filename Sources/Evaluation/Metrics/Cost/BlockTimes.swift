import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// The times that a subject takes for each block of a sound.
///
/// Processor time is the subject's cost. Elapsed time must meet the deadline, and includes other work
/// of the machine. A plugin's host measures both, without the way to it and back. Reading the clocks costs about 1 µs for each block, which is measured beforehand
/// and subtracted from the processor time.
public struct BlockTimes: Sendable {
  public enum Pace: String, Codable, Sendable {
    /// Blocks without pauses; caches stay warm.
    case unpaced
    /// Blocks at the time they are due, with sleep in between, as in an app; caches get cold.
    case paced
  }

  public let blockSize: Int
  public let sampleRateHz: Double
  public let cpuMs: [Double]
  public let wallMs: [Double]

  public var deadlineMs: Double { Double(blockSize) / sampleRateHz * 1000 }

  /// Processes blocks and measures them.
  ///
  /// - Parameters:
  ///   - sound: a running subject; continues from its current state.
  ///   - input: the sound to process, repeated as needed; at least one block long.
  public init(
    of sound: any LiveSound, hearing input: Signal, blocks: Int, blockSize: Int,
    pace: Pace = .unpaced
  ) {
    precondition(input.count >= blockSize && blockSize > 0, "the sound is shorter than a block")
    let overheadMs = Self.overheadMs
    var output = [Float](repeating: 0, count: blockSize)
    var (cpu, wall) = ([Double](), [Double]())
    cpu.reserveCapacity(blocks)
    wall.reserveCapacity(blocks)
    let periodSeconds = Double(blockSize) / input.sampleRateHz
    let began = WallClock.seconds
    var start = 0
    for block in 0..<blocks {
      if start + blockSize > input.count { start = 0 }
      let part = input.samples.span.extracting(start..<start + blockSize)
      var target = output.mutableSpan
      if pace == .paced { WallClock.sleep(until: began + Double(block) * periodSeconds) }
      let (wallBefore, cpuBefore) = (WallClock.seconds, ThreadClock.seconds)
      sound.process(part, into: &target)
      let (cpuAfter, wallAfter) = (ThreadClock.seconds, WallClock.seconds)
      if let work = sound.workElsewhere {
        cpu.append(work.cpuSeconds * 1000)
        wall.append(work.wallSeconds * 1000)
      } else {
        cpu.append(max(0, (cpuAfter - cpuBefore) * 1000 - overheadMs))
        wall.append((wallAfter - wallBefore) * 1000)
      }
      start += blockSize
    }
    (self.blockSize, sampleRateHz, cpuMs, wallMs) = (blockSize, input.sampleRateHz, cpu, wall)
  }

  /// The measured time of no work between two readings of the thread's clock.
  private static var overheadMs: Double {
    let pairs = (0..<200).map { _ in
      let before = ThreadClock.seconds
      return (ThreadClock.seconds - before) * 1000
    }
    return Statistics.median(pairs) ?? 0
  }
}
