import DSP
import Foundation

/// A number of size 1 that turns by the same angle at every step, from 1 on.
struct Phasor {
  private var (re, im) = (1.0, 0.0)
  private let (stepRe, stepIm): (Double, Double)

  /// - Parameter angle: in radians.
  init(perStep angle: Double) { (stepRe, stepIm) = (cos(angle), sin(angle)) }

  mutating func next() -> ComplexFloat {
    defer { (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe) }
    return ComplexFloat(Float(re), Float(im))
  }
}
