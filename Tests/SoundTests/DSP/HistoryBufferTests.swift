import DSP
import Testing

@Suite struct HistoryBufferTests {
  /// Sample `n` of a stream is `n + 1`, so that silence differs from all.
  private func pushed(_ count: Int, into history: inout HistoryBuffer) {
    for _ in 0..<count { history.push(Float(history.count + 1)) }
  }

  @Test func samplesAreReadByDelayAndByNumber() {
    var history = HistoryBuffer(longest: 20)
    // Several times around the ring, which holds 32.
    for _ in 0..<200 {
      pushed(1, into: &history)
      let newest = history.count - 1
      for delay in 0...20 {
        let expected = Float(max(newest - delay + 1, 0))
        #expect(history[delay: delay] == expected)
        #expect(history[newest - delay] == expected)
      }
    }
  }

  @Test(arguments: [8, 16, 40])
  func aWindowLiesInARow(window: Int) {
    var history = HistoryBuffer(longest: 20, window: window)
    pushed(64, into: &history)
    for _ in 0..<64 {
      pushed(1, into: &history)
      let first = history.count - window
      let place = history.place(of: first)
      for i in 0..<window { #expect(history.sample(inWindow: place + i) == Float(first + i + 1)) }
      let eight = history.eight(inWindow: place + window - 8)
      #expect(eight[7] == Float(history.count))
      #expect(history[eightFromDelay: 7][0] == Float(history.count - 7))
    }
  }

  @Test(arguments: [40, 41, 44, 47]) func eightAreTakenAtOnce(window: Int) {
    var single = HistoryBuffer(longest: 40, window: window)
    var eights = HistoryBuffer(longest: 40, window: window)
    for block in 0..<40 {
      var eight = SIMD8<Float>()
      for lane in 0..<8 { eight[lane] = Float(8 * block + lane + 1) }
      eights.push(eight)
      pushed(8, into: &single)
      for delay in 0..<40 { #expect(eights[delay: delay] == single[delay: delay]) }
      let place = eights.place(of: eights.count - 40)
      #expect(eights.eight(inWindow: place + 32)[7] == Float(eights.count))
    }
  }

  /// Both interpolations are exact on a straight line.
  @Test(arguments: [0.0, 0.25, 0.75])
  func betweenSamplesTheStreamIsInterpolated(fraction: Double) {
    var history = HistoryBuffer(longest: 40, window: 16)
    pushed(101, into: &history)
    #expect(abs(history.interpolated(delay: 5 + fraction) - Float(96 - fraction)) < 1e-5)
    let eight = history.eight(at: 80, Lagrange.weights(fraction))
    for lane in 0..<8 {
      // Rounding of weights that add up to 1, times 100.
      #expect(abs(eight[lane] - Float(81 + Double(lane) + fraction)) < 1e-4)
    }
  }

  @Test func resetForgetsAll() {
    var history = HistoryBuffer(longest: 20)
    pushed(50, into: &history)
    #expect(history.oldest == 50 - 31)
    history.reset()
    #expect(history.count == 0)
    #expect(history.oldest == 0)
    for delay in 0...20 { #expect(history[delay: delay] == 0) }
  }
}
