import Foundation

/// A double-precision complex number with the operations that the glottal pulse needs.
struct Complex: Equatable {
  var re: Double
  var im: Double

  init(_ re: Double, _ im: Double) { (self.re, self.im) = (re, im) }

  var magnitude: Double { hypot(re, im) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
  static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }
  static func * (a: Complex, b: Double) -> Complex { Complex(a.re * b, a.im * b) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }
  static func / (a: Complex, b: Complex) -> Complex {
    let power = b.re * b.re + b.im * b.im
    return Complex((a.re * b.re + a.im * b.im) / power, (a.im * b.re - a.re * b.im) / power)
  }

  static func exp(_ z: Complex) -> Complex {
    let size = Foundation.exp(z.re)
    return Complex(size * cos(z.im), size * sin(z.im))
  }
}
