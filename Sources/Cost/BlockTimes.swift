import DSP
import Foundation
import Statistics
import Subjects

/// How long each block of a sound took a subject.
///
/// Time on a core is what the subject costs; time on the clock is what meets the deadline, and holds
/// whatever else the machine did meanwhile. Reading the clocks costs about a microsecond a block,
/// which is measured beforehand and taken off the time on a core.
public struct BlockTimes: Sendable {
  public enum Pace: String, Codable, Sendable {
    /// Block after block: memory stays near the core.
    case unpaced
    /// Each block when it is due, asleep in between, as in an app: the core cools down.
    case paced
  }

  public let blockSize: Int
  public let sampleRateHz: Double
  public let cpuMs: [Double]
  public let wallMs: [Double]

  public var deadlineMs: Double { Double(blockSize) / sampleRateHz * 1000 }

  /// - Parameters:
  ///   - input: repeated as often as needed; at least a block.
  ///   - sound: goes on from where it is.
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
      cpu.append(max(0, (cpuAfter - cpuBefore) * 1000 - overheadMs))
      wall.append((wallAfter - wallBefore) * 1000)
      start += blockSize
    }
    (self.blockSize, sampleRateHz, cpuMs, wallMs) = (blockSize, input.sampleRateHz, cpu, wall)
  }

  /// What two readings of the thread's clock make of nothing.
  private static var overheadMs: Double {
    let pairs = (0..<200).map { _ in
      let before = ThreadClock.seconds
      return (ThreadClock.seconds - before) * 1000
    }
    return Statistics.median(pairs) ?? 0
  }
}
