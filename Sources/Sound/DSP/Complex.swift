import Foundation

/// A complex number in double precision.
public struct Complex: BitwiseCopyable, Equatable, Sendable {
  public var re: Double
  public var im: Double

  @inlinable public init(_ re: Double, _ im: Double) { (self.re, self.im) = (re, im) }

  /// Zero.
  @inlinable public init() { self.init(0, 0) }

  /// The number of magnitude 1 at an angle in radians.
  public init(angle: Double) { self.init(cos(angle), sin(angle)) }

  @inlinable public var magnitude: Double { (re * re + im * im).squareRoot() }
  /// The squared magnitude.
  @inlinable public var power: Double { re * re + im * im }
  @inlinable public var conjugate: Complex { Complex(re, -im) }

  @inlinable public var reciprocal: Complex {
    let power = re * re + im * im
    return Complex(re / power, -im / power)
  }

  @inlinable public static func + (a: Complex, b: Complex) -> Complex {
    Complex(a.re + b.re, a.im + b.im)
  }

  @inlinable public static func - (a: Complex, b: Complex) -> Complex {
    Complex(a.re - b.re, a.im - b.im)
  }

  @inlinable public static func * (a: Complex, b: Double) -> Complex {
    Complex(a.re * b, a.im * b)
  }

  @inlinable public static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  @inlinable public static func / (a: Complex, b: Complex) -> Complex {
    let power = b.re * b.re + b.im * b.im
    return Complex((a.re * b.re + a.im * b.im) / power, (a.im * b.re - a.re * b.im) / power)
  }

  /// The exponential function.
  public static func exp(_ z: Complex) -> Complex {
    let size = Foundation.exp(z.re)
    return Complex(size * cos(z.im), size * sin(z.im))
  }
}
