/// A complex number in single precision: one value of a spectrum, laid out as FFTW does.
public struct ComplexFloat: BitwiseCopyable, Equatable, Sendable {
  public var re: Float
  public var im: Float

  @inlinable public init(_ re: Float, _ im: Float) { (self.re, self.im) = (re, im) }

  /// The squared magnitude.
  @inlinable public var power: Float { re * re + im * im }

  @inlinable @inline(__always) public static func * (
    a: ComplexFloat, b: ComplexFloat
  ) -> ComplexFloat {
    ComplexFloat(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  /// Returns the mix of two numbers.
  ///
  /// - Parameter share: share of the second.
  @inlinable public static func mixed(
    _ a: ComplexFloat, _ b: ComplexFloat, _ share: Float
  ) -> ComplexFloat {
    ComplexFloat(a.re + share * (b.re - a.re), a.im + share * (b.im - a.im))
  }
}
