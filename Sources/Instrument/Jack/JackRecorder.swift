import DSP

/// Records the first input of a client.
public final class JackRecorder: JackProcessor, @unchecked Sendable {
  /// The newest sound; to be taken at least every few seconds.
  public let samples = LockFreeRing<Float>(room: 1 << 19)

  public override func process(_ block: borrowing JackBlock) {
    let input = block.input(0)
    for i in 0..<input.count { samples.push(input[i]) }
  }
}
