import DSP

/// A fixed row of values owned by one processor, for the audio thread.
///
/// As `FloatBuffer`, of any plain type and without checks: for inner loops whose bounds are settled
/// beforehand. Being generic it is beyond what the compiler vouches for; the conformance checker counts.
///
/// - Allocates: in `init` only.
struct Row<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  let count: Int
  let start: UnsafeMutablePointer<Element>
  private let blank: Element

  init(count: Int, of blank: Element) {
    self.count = count
    self.blank = blank
    start = .allocate(capacity: max(count, 1))
    start.initialize(repeating: blank, count: count)
  }

  init(_ values: [Element], blank: Element) {
    self.init(count: values.count, of: blank)
    for (i, value) in values.enumerated() { self[i] = value }
  }

  deinit { start.deallocate() }

  subscript(i: Int) -> Element {
    @inline(__always) @_semantics("no_performance_analysis") get { unsafe start[i] }
    @inline(__always) @_semantics("no_performance_analysis") nonmutating set {
      unsafe start[i] = newValue
    }
  }

  /// Makes every value what it was at first.
  @_semantics("no_performance_analysis") func clear() {
    for i in 0..<count { self[i] = blank }
  }
}

extension FourierTransform {
  /// Transforms `samples`, as many as the transform holds.
  mutating func forward(_ samples: borrowing Row<Float>) {
    precondition(samples.count == count)
    forward(unsafe Span(_unsafeStart: UnsafePointer(samples.start), count: count))
  }

  /// Transforms the spectrum `bins`, which is kept.
  mutating func inverse(_ bins: borrowing Row<ComplexFloat>) {
    precondition(bins.count == binCount)
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = bins[k] }
    inverse()
  }

  /// Transforms the spectrum of real values `bins`.
  mutating func inverse(_ bins: borrowing Row<Float>) {
    precondition(bins.count == binCount)
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = ComplexFloat(bins[k], 0) }
    inverse()
  }
}
