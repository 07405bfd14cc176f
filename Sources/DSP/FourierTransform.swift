import CFFTW
import Synchronization

/// One value of a spectrum, laid out as FFTW does.
public struct ComplexFloat: BitwiseCopyable, Equatable, Sendable {
  public var re: Float
  public var im: Float

  public init(_ re: Float, _ im: Float) { (self.re, self.im) = (re, im) }

  /// The squared magnitude.
  public var power: Float { re * re + im * im }
}

/// The discrete Fourier transform of real signals of one length, over FFTW.
///
/// Unscaled both ways: `inverse` after `forward` multiplies by `count`. All transforms of one
/// length share a plan, made under one lock; executing never allocates or locks.
///
/// - Allocates: in `init` only.
/// - Source: Frigo and Johnson, "The Design and Implementation of FFTW3", Proc. IEEE 93(2), 2005.
public struct FourierTransform: ~Copyable, @unchecked Sendable {
  /// Samples in the time domain.
  public let count: Int
  /// Values in the frequency domain, from 0 to half the sample rate.
  public let binCount: Int

  private let plans: PlanCache.Pair
  private let time: UnsafeMutableBufferPointer<Float>
  private let frequency: UnsafeMutableBufferPointer<ComplexFloat>

  public init(count: Int) {
    precondition(count > 0, "a transform has at least one sample")
    self.count = count
    binCount = count / 2 + 1
    time = PlanCache.aligned(Float.self, count)
    frequency = PlanCache.aligned(ComplexFloat.self, binCount)
    plans = PlanCache.pair(count)
  }

  deinit {
    time.deallocate()
    frequency.deallocate()
  }

  /// The values of the last `forward`, or those to be given to `inverse`.
  public var spectrum: MutableSpan<ComplexFloat> {
    @_lifetime(&self) mutating get {
      let span = unsafe MutableSpan(_unsafeElements: frequency)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// The value of the last `forward` at `bin`, of 0 to half the sample rate.
  public subscript(bin: Int) -> ComplexFloat { unsafe frequency[bin] }

  /// The samples of the last `inverse`.
  public var samples: Span<Float> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeElements: time)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Transforms `input`, padded with zeros to `count`, into `spectrum`.
  public mutating func forward(_ input: Span<Float>) {
    precondition(input.count <= count, "more samples than the transform holds")
    for i in 0..<input.count { unsafe time[i] = input[i] }
    for i in input.count..<count { unsafe time[i] = 0 }
    PlanCache.execute(plans.forward, time, frequency)
  }

  /// Transforms `spectrum`, which is used up, into `samples`.
  public mutating func inverse() {
    PlanCache.execute(plans.inverse, frequency, time)
  }
}

/// FFTW's plans, which live as long as the program.
private enum PlanCache {
  struct Pair: @unchecked Sendable {
    let forward: fftwf_plan
    let inverse: fftwf_plan
  }

  static let pairs = Mutex<[Int: Pair]>([:])

  /// `FFTW_ESTIMATE` makes the same plan, and so the same last bits, on every run.
  static func pair(_ count: Int) -> Pair {
    pairs.withLock { known in
      if let pair = known[count] { return pair }
      let time = aligned(Float.self, count)
      let frequency = aligned(ComplexFloat.self, count / 2 + 1)
      defer {
        time.deallocate()
        frequency.deallocate()
      }
      let complex = UnsafeMutableRawPointer(frequency.baseAddress!)
        .assumingMemoryBound(to: fftwf_complex.self)
      let pair = Pair(
        forward: fftwf_plan_dft_r2c_1d(
          Int32(count), time.baseAddress, complex, FFTW_ESTIMATE),
        inverse: fftwf_plan_dft_c2r_1d(
          Int32(count), complex, time.baseAddress, FFTW_ESTIMATE))
      known[count] = pair
      return pair
    }
  }

  /// Zeros, at a multiple of 16 bytes: more alignment FFTW never asks for (`ALGN` of its
  /// `kernel/align.c`), and `malloc` gives so much. `fftwf_malloc` goes by `memalign`, whose blocks
  /// glibc before 2.38 doesn't use again: a program that makes many transforms grows without bound
  /// (glibc's bug 14581).
  static func aligned<T: BitwiseCopyable>(_: T.Type, _ count: Int) -> UnsafeMutableBufferPointer<T>
  {
    let size = MemoryLayout<T>.stride * count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: T.self), count: count)
  }

  static func execute(
    _ plan: fftwf_plan, _ time: UnsafeMutableBufferPointer<Float>,
    _ frequency: UnsafeMutableBufferPointer<ComplexFloat>
  ) {
    let complex = UnsafeMutableRawPointer(frequency.baseAddress!)
      .assumingMemoryBound(to: fftwf_complex.self)
    fftwf_execute_dft_r2c(plan, time.baseAddress, complex)
  }

  static func execute(
    _ plan: fftwf_plan, _ frequency: UnsafeMutableBufferPointer<ComplexFloat>,
    _ time: UnsafeMutableBufferPointer<Float>
  ) {
    let complex = UnsafeMutableRawPointer(frequency.baseAddress!)
      .assumingMemoryBound(to: fftwf_complex.self)
    fftwf_execute_dft_c2r(plan, complex, time.baseAddress)
  }
}
