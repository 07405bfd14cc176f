/// A fixed run of whole numbers owned by one processor: state for the audio thread.
///
/// Never shared, so writing to it never copies, counts or allocates; an index out of bounds traps.
///
/// - Allocates: in `init` only.
struct IntBuffer: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableBufferPointer<Int>

  init(repeating value: Int, count: Int) {
    storage = .allocate(capacity: count)
    storage.initialize(repeating: value)
  }

  init(_ values: [Int]) {
    storage = .allocate(capacity: values.count)
    _ = storage.initialize(from: values)
  }

  deinit { storage.deallocate() }

  var count: Int { @_noLocks get { storage.count } }

  subscript(index: Int) -> Int {
    @inline(__always) @_noLocks get {
      precondition(index >= 0 && index < storage.count, "index out of bounds")
      return unsafe storage[index]
    }
    @inline(__always) @_noLocks set {
      precondition(index >= 0 && index < storage.count, "index out of bounds")
      unsafe storage[index] = newValue
    }
  }
}
