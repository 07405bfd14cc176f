import DSP

/// An LFO or carrier with continuous phase under changes of its rate.
///
/// The phase is in double precision: after an hour at 192 kHz it is accurate to 1e-6 cycles.
struct Oscillator {
  /// The phase in cycles, 0..<1.
  private(set) var turns: Double
  private let startTurns: Double
  private let sampleRateHz: Double
  private var turnsPerSample: Double
  private var target: Double
  private var step = 0.0
  private var remaining = 0

  /// - Parameter startTurns: the initial phase in cycles, 0..<1.
  @_noLocks init(rateHz: Double, startTurns: Double = 0, sampleRateHz: Double) {
    (turns, self.startTurns, self.sampleRateHz) = (startTurns, startTurns, sampleRateHz)
    turnsPerSample = rateHz / sampleRateHz
    target = turnsPerSample
  }

  @_noLocks mutating func reset() {
    turns = startTurns
    (turnsPerSample, remaining) = (target, 0)
  }

  /// Moves the rate to `rateHz` over some samples.
  @_noLocks mutating func glide(toRateHz rateHz: Double, overSamples count: Int) {
    let aim = rateHz / sampleRateHz
    guard aim != target else { return }
    target = aim
    guard count > 0 else {
      (turnsPerSample, remaining) = (aim, 0)
      return
    }
    step = (aim - turnsPerSample) / Double(count)
    remaining = count
  }

  /// The sine: 0 at phase 0, 1 at a quarter, -1 at three quarters.
  var sine: Double { @_noLocks get { RealtimeMath.sine(2 * .pi * turns) } }

  /// The triangle wave in phase with `sine`.
  var triangle: Double {
    @_noLocks get {
      let fromTop = abs(turns < 0.75 ? turns - 0.25 : turns - 1.25)
      return 1 - 4 * fromTop
    }
  }

  /// Advances to the next sample.
  @inline(__always) @_noLocks mutating func advance() {
    if remaining > 0 {
      remaining -= 1
      turnsPerSample = remaining == 0 ? target : turnsPerSample + step
    }
    turns += turnsPerSample
    if turns >= 1 { turns -= 1 }
  }
}
