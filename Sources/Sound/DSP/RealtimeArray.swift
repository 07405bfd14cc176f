/// A fixed number of values owned by one processor: storage for the audio thread.
///
/// Nothing else holds the storage, so a write never copies, counts references or allocates. Every
/// access is checked, except those named `unchecked`. These are for loops that measure slower with
/// checks, and whose bounds a `precondition` checks before the loop.
///
/// Accessors are transparent, since the compiler verifies generic code for the audio thread only
/// where it is inlined into the caller.
///
/// - Allocates: in `init` only.
public struct RealtimeArray<Element: ~Copyable>: ~Copyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  public let count: Int

  /// Makes `count` elements, each from its index.
  @inlinable public init<Failure: Error>(
    count: Int, _ element: (Int) throws(Failure) -> Element
  ) throws(Failure) {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    for index in 0..<count {
      do throws(Failure) {
        (start + index).initialize(to: try element(index))
      } catch {
        start.deinitialize(count: index)
        start.deallocate()
        throw error
      }
    }
    (self.start, self.count) = (start, count)
  }

  @inlinable deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  /// The element at `index`, which must exist.
  @inlinable public subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      precondition(index >= 0 && index < count, "index out of bounds")
      return unsafe UnsafePointer(start + index)
    }
    @_transparent unsafeMutableAddress {
      precondition(index >= 0 && index < count, "index out of bounds")
      return unsafe start + index
    }
  }

  /// The element at `index`, without a check.
  @inlinable public subscript(unchecked index: Int) -> Element {
    @_transparent unsafeAddress {
      unsafe UnsafePointer(start + index)
    }
    @_transparent unsafeMutableAddress {
      unsafe start + index
    }
  }

  @inlinable public var span: Span<Element> {
    @_lifetime(borrow self) @_semantics("no_performance_analysis") get {
      unsafe _overrideLifetime(Span(_unsafeStart: start, count: count), borrowing: self)
    }
  }

  @inlinable public var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self) @_semantics("no_performance_analysis") mutating get {
      let all = unsafe MutableSpan(_unsafeStart: start, count: count)
      return unsafe _overrideLifetime(all, mutating: &self)
    }
  }

  /// The first `count` elements.
  @_lifetime(&self) @_semantics("no_performance_analysis")
  @inlinable public mutating func mutablePrefix(_ count: Int) -> MutableSpan<Element> {
    precondition(count >= 0 && count <= self.count, "a longer prefix than the whole")
    let prefix = unsafe MutableSpan(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(prefix, mutating: &self)
  }
}

extension RealtimeArray: @unchecked Sendable where Element: Sendable & ~Copyable {}

extension RealtimeArray where Element: BitwiseCopyable {
  /// Makes `count` elements equal to `value`.
  @inlinable public init(repeating value: Element, count: Int) {
    start = .allocate(capacity: count)
    start.initialize(repeating: value, count: count)
    self.count = count
  }

  /// Makes an array of `values`.
  @inlinable public init(_ values: some Collection<Element>) {
    start = .allocate(capacity: values.count)
    count = values.count
    _ = UnsafeMutableBufferPointer(start: start, count: count).initialize(from: values)
  }

  /// Sets every element to `value`.
  @_transparent public mutating func fill(with value: Element) {
    for index in 0..<count { self[unchecked: index] = value }
  }
}

extension RealtimeArray where Element: BitwiseCopyable & AdditiveArithmetic {
  /// Makes `count` zeros.
  @inlinable public init(count: Int) { self.init(repeating: .zero, count: count) }

  /// Sets every element to zero.
  @_transparent public mutating func clear() { fill(with: .zero) }
}

extension RealtimeArray<Float> {
  /// Eight samples in a row from `index`, which must exist.
  @inlinable public subscript(eightAt index: Int) -> SIMD8<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      precondition(index >= 0 && index &+ 8 <= count, "index out of bounds")
      return self[uncheckedEightAt: index]
    }
    @inline(__always) @_semantics("no_performance_analysis") set {
      precondition(index >= 0 && index &+ 8 <= count, "index out of bounds")
      self[uncheckedEightAt: index] = newValue
    }
  }

  /// Eight samples in a row from `index`, without a check.
  @inlinable public subscript(uncheckedEightAt index: Int) -> SIMD8<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let raw = unsafe UnsafeRawPointer(start + index)
      return unsafe raw.loadUnaligned(as: SIMD8<Float>.self)
    }
    @inline(__always) @_semantics("no_performance_analysis") set {
      let raw = unsafe UnsafeMutableRawPointer(start + index)
      unsafe raw.storeBytes(of: newValue, as: SIMD8<Float>.self)
    }
  }

  /// Four samples in a row from `index`, without a check.
  @inlinable public subscript(uncheckedFourAt index: Int) -> SIMD4<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let raw = unsafe UnsafeRawPointer(start + index)
      return unsafe raw.loadUnaligned(as: SIMD4<Float>.self)
    }
  }
}

/// A reference to one noncopyable value, for an engine whose owner moves.
public final class Box<Value: ~Copyable> {
  public var value: Value

  public init(_ value: consuming Value) { self.value = value }
}
