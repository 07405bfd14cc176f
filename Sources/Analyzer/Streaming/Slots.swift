/// Owns a fixed number of plain values: what an array would be, were arrays allowed where nothing
/// may allocate. Read and written through `values`, without a check in release builds.
struct Slots<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  let values: UnsafeMutableBufferPointer<Element>

  init(_ count: Int, repeating value: Element) {
    values = .allocate(capacity: count)
    values.initialize(repeating: value)
  }

  deinit { values.deallocate() }
}
