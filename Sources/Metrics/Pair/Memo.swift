import Foundation

/// Things that are worked out once, when they are first asked for.
///
/// Whoever asks while another works one out waits for it instead of doing it again. What is worked
/// out may ask for others of the same memo.
final class Memo: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var known: [String: any Sendable] = [:]

  func callAsFunction<Value: Sendable>(_ name: String, _ make: () -> Value) -> Value {
    lock.withLock {
      if let value = known[name] { return value as! Value }
      let value = make()
      known[name] = value
      return value
    }
  }
}
