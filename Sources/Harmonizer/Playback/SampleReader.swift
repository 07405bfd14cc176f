/// A place that moves through a sample, sample by sample.
///
/// Its ratio may change at any time: the sound goes on from where it is.
struct SampleReader: BitwiseCopyable {
  /// Time in samples of the recording, 32 bits after the point.
  private var time: Int64 = 0
  private var step: Int64
  private(set) var octave: Int
  private var cutoff: Int

  /// - Parameter ratio: samples of the recording for one of output; cut to what `SampleMemory` can do.
  @_noLocks init(ratio: Double) {
    (step, octave, cutoff) = (0, 0, 0)
    setRatio(ratio)
  }

  @_noLocks mutating func setRatio(_ ratio: Double) {
    guard ratio == ratio else { return }
    let ratio = min(max(ratio, SampleMemory.slowest), SampleMemory.fastest)
    step = Int64(ratio * 0x1p32 + 0.5)
    (octave, cutoff) = (0, 0)
    var rest = ratio
    while rest >= 2 {
      rest /= 2
      octave += 1
    }
    cutoff = SincBank.cutoff(forRatio: rest)
  }

  @inline(__always) @_noLocks func isOver(_ memory: borrowing SampleMemory) -> Bool {
    time >= memory.end
  }

  /// The next sample; 0 once it is over.
  @inline(__always) @_noLocks mutating func next(_ memory: borrowing SampleMemory) -> Float {
    guard time < memory.end else { return 0 }
    let value = memory.value(at: time, octave: octave, cutoff: cutoff)
    time &+= step
    while time >= memory.wrap { time -= memory.loopLength }
    return value
  }
}
