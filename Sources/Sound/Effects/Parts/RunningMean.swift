import DSP

/// The mean of the last values, each between a millionth and 1.
///
/// Values are stored in single and summed in double precision: every sum of up to 1000 such values
/// is exact, so that errors don't accumulate.
///
/// - Cost: an addition and a subtraction a value. Allocates in `init` only.
struct RunningMean: ~Copyable {
  private var values: RealtimeArray<Float>
  private var place = 0
  private var sum: Double
  private let share: Double

  /// Makes a mean of `count` values, at first all ones.
  init(of count: Int) {
    values = RealtimeArray<Float>(count: max(count, 1))
    sum = 0
    share = 1 / Double(values.count)
    reset()
  }

  @_noLocks mutating func reset() {
    let count = values.count
    for i in 0..<count { values[i] = 1 }
    (place, sum) = (0, Double(count))
  }

  @inline(__always) @_noLocks mutating func next(_ value: Float) -> Float {
    sum += Double(value) - Double(values[place])
    values[place] = value
    place += 1
    if place == values.count { place = 0 }
    return Float(sum * share)
  }
}
