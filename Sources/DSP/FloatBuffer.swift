/// A fixed run of samples owned by one processor.
///
/// Unlike an array it is never shared, so writing to it never copies, counts or allocates: the
/// storage for delay lines and scratch blocks on the audio thread.
///
/// - Allocates: in `init` only.
public struct FloatBuffer: ~Copyable, @unchecked Sendable {
  @usableFromInline let storage: UnsafeMutableBufferPointer<Float>

  /// A buffer of `count` zeros.
  public init(count: Int) {
    storage = .allocate(capacity: count)
    storage.initialize(repeating: 0)
  }

  /// A buffer that holds `samples`.
  public init(_ samples: [Float]) {
    storage = .allocate(capacity: samples.count)
    _ = storage.initialize(from: samples)
  }

  deinit { storage.deallocate() }

  public var count: Int { @_noLocks get { storage.count } }

  public var span: Span<Float> {
    @_lifetime(borrow self) @_semantics("no_performance_analysis") get {
      let span = unsafe Span(_unsafeElements: storage)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  public var mutableSpan: MutableSpan<Float> {
    @_lifetime(&self) @_semantics("no_performance_analysis") mutating get {
      let span = unsafe MutableSpan(_unsafeElements: storage)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// The first `count` samples.
  @_lifetime(&self) @_semantics("no_performance_analysis")
  public mutating func mutablePrefix(_ count: Int) -> MutableSpan<Float> {
    let span = unsafe MutableSpan(_unsafeElements: storage.extracting(..<count))
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// A sample, without a check of `index`.
  @inlinable public subscript(index: Int) -> Float {
    @inline(__always) @_noLocks get { unsafe storage[index] }
    @inline(__always) @_noLocks set { unsafe storage[index] = newValue }
  }

  /// Eight samples in a row from `index`, without a check.
  @inlinable public subscript(eightAt index: Int) -> SIMD8<Float> {
    @inline(__always) @_noLocks get {
      let raw = unsafe UnsafeRawPointer(storage.baseAddress.unsafelyUnwrapped + index)
      return unsafe raw.loadUnaligned(as: SIMD8<Float>.self)
    }
    @inline(__always) @_noLocks set {
      let raw = unsafe UnsafeMutableRawPointer(storage.baseAddress.unsafelyUnwrapped + index)
      unsafe raw.storeBytes(of: newValue, as: SIMD8<Float>.self)
    }
  }

  /// Four samples in a row from `index`, without a check.
  @inlinable public subscript(fourAt index: Int) -> SIMD4<Float> {
    @inline(__always) @_noLocks get {
      let raw = unsafe UnsafeRawPointer(storage.baseAddress.unsafelyUnwrapped + index)
      return unsafe raw.loadUnaligned(as: SIMD4<Float>.self)
    }
  }

  /// Sets every sample to zero.
  @_noLocks public mutating func clear() {
    for i in 0..<storage.count { unsafe storage[i] = 0 }
  }
}
