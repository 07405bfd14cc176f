import DSP

extension HistoryBuffer {
  /// Returns the dot product of `taps`, a multiple of 16, and as many samples ending `delay`
  /// samples ago, the oldest first. It needs a window of all taps.
  @inline(__always) @_noLocks func dot(
    _ taps: borrowing RealtimeArray<Float>, delay: Int
  ) -> Float {
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let first = place(of: count &- delay &- taps.count)
    var i = 0
    while i < taps.count {
      even += taps[uncheckedEightAt: i] * eight(inWindow: first &+ i)
      odd += taps[uncheckedEightAt: i &+ 8] * eight(inWindow: first &+ i &+ 8)
      i &+= 16
    }
    let all = even + odd
    let four = SIMD4(all[0], all[1], all[2], all[3]) + SIMD4(all[4], all[5], all[6], all[7])
    return (four[0] + four[2]) + (four[1] + four[3])
  }
}
