import CFFTW
import Synchronization

/// The discrete Fourier transform of real signals of one length, over FFTW.
///
/// Both directions are unscaled: `inverse` after `forward` multiplies by `count`. All transforms of
/// one length share a plan, made under a lock; executing never allocates or locks.
///
/// - Allocates: in `init` only.
/// - Source: Frigo and Johnson, "The Design and Implementation of FFTW3", Proc. IEEE 93(2), 2005.
public struct FourierTransform: ~Copyable, @unchecked Sendable {
  /// The number of samples in the time domain.
  public let count: Int
  /// The number of values in the frequency domain, from 0 to half the sample rate.
  public let binCount: Int

  private let plans: PlanPair
  private var time: RealtimeArray<Float>
  private var frequency: RealtimeArray<ComplexFloat>

  public init(count: Int) {
    precondition(count > 0, "a transform has at least one sample")
    self.count = count
    binCount = count / 2 + 1
    time = RealtimeArray(count: count)
    frequency = RealtimeArray(repeating: ComplexFloat(0, 0), count: binCount)
    plans = PlanPair.shared(count: count)
  }

  /// The values from the last `forward`, or the input of `inverse`.
  public var spectrum: MutableSpan<ComplexFloat> {
    @_lifetime(&self) mutating get { frequency.mutableSpan }
  }

  /// The value from the last `forward` at `bin`, from 0 to half the sample rate.
  public subscript(bin: Int) -> ComplexFloat { frequency[bin] }

  /// The samples from the last `inverse`.
  public var samples: Span<Float> {
    @_lifetime(borrow self) get { time.span }
  }

  /// Transforms `input`, padded with zeros to `count`, into `spectrum`.
  public mutating func forward(_ input: Span<Float>) {
    precondition(input.count <= count, "more samples than the transform holds")
    unsafe input.withUnsafeBufferPointer { input in
      if let first = input.baseAddress { unsafe time.start.update(from: first, count: input.count) }
    }
    unsafe (time.start + input.count).update(repeating: 0, count: count - input.count)
    plans.forward(time, frequency)
  }

  /// Transforms `spectrum`, which is overwritten, into `samples`.
  public mutating func inverse() {
    plans.inverse(frequency, time)
  }

  /// Transforms a spectrum of `binCount` values into `samples`.
  public mutating func inverse(of values: Span<ComplexFloat>) {
    precondition(values.count == binCount, "one value for each bin")
    unsafe values.withUnsafeBufferPointer { values in
      unsafe frequency.start.update(from: values.baseAddress!, count: values.count)
    }
    inverse()
  }
}

/// A plan for each direction, which lives as long as the program.
///
/// A plan is executed on other memory than it was made with, which must have the same alignment.
/// All of it comes from `malloc`, which aligns to 16 bytes, the most that FFTW needs (`ALGN` in its
/// `kernel/align.c`). `fftwf_malloc` uses `memalign`, whose blocks glibc before 2.38 doesn't reuse:
/// a program that makes many transforms would grow without bound (glibc's bug 14581).
private struct PlanPair: @unchecked Sendable {
  private let forwardPlan: fftwf_plan
  private let inversePlan: fftwf_plan

  private static let known = Mutex<[Int: PlanPair]>([:])

  /// Returns the plans for a length; makes them the first time.
  static func shared(count: Int) -> PlanPair {
    known.withLock { known in
      if let pair = known[count] { return pair }
      let pair = PlanPair(count: count)
      known[count] = pair
      return pair
    }
  }

  /// Makes the plans. `FFTW_ESTIMATE` gives the same plan, and so the same last bits, on every run.
  private init(count: Int) {
    let time = RealtimeArray<Float>(count: count)
    let frequency = RealtimeArray(repeating: ComplexFloat(0, 0), count: count / 2 + 1)
    forwardPlan = fftwf_plan_dft_r2c_1d(
      Int32(count), time.start, Self.complex(frequency), FFTW_ESTIMATE)
    inversePlan = fftwf_plan_dft_c2r_1d(
      Int32(count), Self.complex(frequency), time.start, FFTW_ESTIMATE)
  }

  func forward(
    _ time: borrowing RealtimeArray<Float>, _ frequency: borrowing RealtimeArray<ComplexFloat>
  ) {
    fftwf_execute_dft_r2c(forwardPlan, time.start, Self.complex(frequency))
  }

  func inverse(
    _ frequency: borrowing RealtimeArray<ComplexFloat>, _ time: borrowing RealtimeArray<Float>
  ) {
    fftwf_execute_dft_c2r(inversePlan, Self.complex(frequency), time.start)
  }

  private static func complex(
    _ values: borrowing RealtimeArray<ComplexFloat>
  ) -> UnsafeMutablePointer<fftwf_complex> {
    UnsafeMutableRawPointer(values.start).assumingMemoryBound(to: fftwf_complex.self)
  }
}
