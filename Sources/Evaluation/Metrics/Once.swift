import Synchronization

/// A value that is computed on first use. A thread that asks while another computes it waits.
///
/// The computation may ask for other values, but not for this one.
final class Once<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func callAsFunction(_ compute: () -> Value) -> Value {
    value.withLock { value in
      if let value { return value }
      let computed = compute()
      value = computed
      return computed
    }
  }
}

/// Values that are computed on first use, one for each key.
final class OnceByKey<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Once<Value>]>([:])

  func callAsFunction(_ key: Key, _ compute: () -> Value) -> Value {
    let once = values.withLock { values in
      let once = values[key] ?? Once()
      values[key] = once
      return once
    }
    return once(compute)
  }
}
