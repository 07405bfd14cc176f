import Foundation

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

  private let forwardPlan: FourierPlan
  private let inversePlan: FourierPlan
  private var time: RealtimeArray<Float>
  @usableFromInline var frequency: RealtimeArray<ComplexFloat>

  public init(count: Int) {
    precondition(count > 0, "a transform has at least one sample")
    self.count = count
    binCount = count / 2 + 1
    time = RealtimeArray(count: count)
    frequency = RealtimeArray(repeating: ComplexFloat(0, 0), count: binCount)
    forwardPlan = .shared(.realForward, count: count)
    inversePlan = .shared(.realInverse, count: count)
  }

  /// The values from the last `forward`, or the input of `inverse`.
  public var spectrum: MutableSpan<ComplexFloat> {
    @_lifetime(&self) mutating get { frequency.mutableSpan }
  }

  /// The value from the last `forward` at `bin`, from 0 to half the sample rate.
  @inlinable public subscript(bin: Int) -> ComplexFloat { frequency[bin] }

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
    forwardPlan.forward(time, frequency)
  }

  /// Returns the bins in the third octave around a frequency.
  package func thirdOctave(aroundHz hz: Double, sampleRateHz: Double) -> Range<Int> {
    let hzPerBin = sampleRateHz / Double(count)
    let low = Int((hz * exp2(-1.0 / 6) / hzPerBin).rounded(.up))
    let high = min(binCount, Int((hz * exp2(1.0 / 6) / hzPerBin).rounded(.up)))
    return low..<max(low, high)
  }

  /// Transforms `spectrum`, which is overwritten, into `samples`.
  public mutating func inverse() {
    inversePlan.inverse(frequency, time)
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
