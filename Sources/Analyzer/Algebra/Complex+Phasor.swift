import Foundation

extension Complex {
  init() { self.init(0, 0) }
  /// A number of magnitude 1.
  init(angle: Double) { self.init(cos(angle), sin(angle)) }

  var conjugate: Complex { Complex(re, -im) }
  var power: Double { re * re + im * im }

  static func * (a: Complex, b: Double) -> Complex { Complex(a.re * b, a.im * b) }
}
