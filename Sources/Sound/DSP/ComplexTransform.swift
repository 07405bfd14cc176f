/// The discrete Fourier transform of complex sequences of one length, in one direction, over FFTW.
///
/// It is unscaled: an inverse after a forward transform multiplies by `count`. Two real sequences,
/// one as real and the other as imaginary part, take about as long as one by `FourierTransform`.
///
/// - Allocates: in `init` only.
/// - Source: as for `FourierTransform`.
public struct ComplexTransform: ~Copyable, @unchecked Sendable {
  public enum Direction: Sendable { case forward, inverse }

  /// The number of values.
  public let count: Int

  private let plan: FourierPlan
  private var values: RealtimeArray<ComplexFloat>
  private var results: RealtimeArray<ComplexFloat>

  public init(count: Int, _ direction: Direction) {
    precondition(count > 0, "a transform has at least one value")
    self.count = count
    values = RealtimeArray(repeating: ComplexFloat(0, 0), count: count)
    results = RealtimeArray(repeating: ComplexFloat(0, 0), count: count)
    plan = .shared(direction == .forward ? .complexForward : .complexInverse, count: count)
  }

  /// The values to transform, 0 at first; `run` keeps them.
  public var input: MutableSpan<ComplexFloat> {
    @_lifetime(&self) mutating get { values.mutableSpan }
  }

  /// The values from the last `run`.
  public var output: Span<ComplexFloat> {
    @_lifetime(borrow self) get { results.span }
  }

  /// Sets all of `input` to 0.
  public mutating func clear() { values.fill(with: ComplexFloat(0, 0)) }

  /// Transforms `input` into `output`.
  public mutating func run() { plan.transform(values, results) }
}
