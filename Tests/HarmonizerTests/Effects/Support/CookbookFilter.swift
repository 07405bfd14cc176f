import Foundation

/// The filters of the Audio EQ Cookbook, with its notation: direct-form coefficients and their
/// response. A second source for filters that are implemented differently.
///
/// Source: Robert Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter
/// coefficients", W3C Note, 2021.
struct CookbookFilter {
  enum Kind { case lowPass, highPass, bandPass, peak, lowShelf, highShelf }

  private let b: [Double]
  private let a: [Double]
  private let sampleRateHz: Double

  init(_ kind: Kind, _ frequencyHz: Double, q: Double, gainDb: Double = 0, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    let root = pow(10, gainDb / 40)
    let w0 = 2 * .pi * frequencyHz / sampleRateHz
    let alpha = sin(w0) / (2 * q)
    let c = cos(w0)
    let slope = 2 * sqrt(root) * alpha
    switch kind {
    case .lowPass:
      b = [(1 - c) / 2, 1 - c, (1 - c) / 2]
      a = [1 + alpha, -2 * c, 1 - alpha]
    case .highPass:
      b = [(1 + c) / 2, -(1 + c), (1 + c) / 2]
      a = [1 + alpha, -2 * c, 1 - alpha]
    case .bandPass:
      b = [alpha, 0, -alpha]
      a = [1 + alpha, -2 * c, 1 - alpha]
    case .peak:
      b = [1 + alpha * root, -2 * c, 1 - alpha * root]
      a = [1 + alpha / root, -2 * c, 1 - alpha / root]
    case .lowShelf:
      b = [
        root * ((root + 1) - (root - 1) * c + slope), 2 * root * ((root - 1) - (root + 1) * c),
        root * ((root + 1) - (root - 1) * c - slope),
      ]
      a = [
        (root + 1) + (root - 1) * c + slope, -2 * ((root - 1) + (root + 1) * c),
        (root + 1) + (root - 1) * c - slope,
      ]
    case .highShelf:
      b = [
        root * ((root + 1) + (root - 1) * c + slope), -2 * root * ((root - 1) + (root + 1) * c),
        root * ((root + 1) + (root - 1) * c - slope),
      ]
      a = [
        (root + 1) - (root - 1) * c + slope, 2 * ((root - 1) - (root + 1) * c),
        (root + 1) - (root - 1) * c - slope,
      ]
    }
  }

  func magnitude(_ frequencyHz: Double) -> Double {
    let w = 2 * .pi * frequencyHz / sampleRateHz
    func size(_ p: [Double]) -> Double {
      hypot(p[0] + p[1] * cos(w) + p[2] * cos(2 * w), p[1] * sin(w) + p[2] * sin(2 * w))
    }
    return size(b) / size(a)
  }
}
