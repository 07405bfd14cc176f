/// A fixed number of plain values, for code that must not allocate. Access through `values` is
/// unchecked in release builds.
struct Slots<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  let values: UnsafeMutableBufferPointer<Element>

  init(_ count: Int, repeating value: Element) {
    values = .allocate(capacity: count)
    values.initialize(repeating: value)
  }

  deinit { values.deallocate() }
}
