/// A value that can be interpolated.
protocol Blendable {
  /// Interpolates: a `share` of 0 gives this value, 1 the other.
  func blended(with other: Self, share: Double) -> Self
}

extension TractShape: Blendable {}

/// A value over time: constant segments with smooth ramps between them.
struct Track<Value: Blendable> {
  private struct Key {
    var startSeconds: Double
    var rampSeconds: Double
    var value: Value
  }

  private var keys: [Key] = []
  private var current = 0

  /// Appends a value from `startSeconds`, with a ramp centred there, shortened if it would meet the
  /// previous one. An earlier time than the last key's is moved to that.
  mutating func append(_ value: Value, at startSeconds: Double, rampSeconds: Double) {
    let startSeconds = max(startSeconds, keys.last?.startSeconds ?? startSeconds)
    let rest = keys.last.map { startSeconds - $0.startSeconds } ?? 0
    if let last = keys.indices.last {
      keys[last].rampSeconds = min(keys[last].rampSeconds, rest)
    }
    keys.append(Key(startSeconds: startSeconds, rampSeconds: min(rampSeconds, rest), value: value))
  }

  var isEmpty: Bool { keys.isEmpty }

  /// Returns the value at a time; call in ascending order. The first also holds before its time.
  mutating func value(at seconds: Double) -> Value {
    while current + 1 < keys.count,
      seconds >= keys[current + 1].startSeconds - keys[current + 1].rampSeconds / 2
    {
      current += 1
    }
    let key = keys[current]
    guard current > 0 else { return key.value }
    let share = ramp(seconds - key.startSeconds, over: key.rampSeconds)
    return share >= 1 ? key.value : keys[current - 1].value.blended(with: key.value, share: share)
  }
}

/// A smooth step from 0 to 1, centred at 0, flat at both ends.
func ramp(_ seconds: Double, over width: Double) -> Double {
  guard width > 0 else { return seconds >= 0 ? 1 : 0 }
  let x = min(max(seconds / width + 0.5, 0), 1)
  return x * x * (3 - 2 * x)
}
