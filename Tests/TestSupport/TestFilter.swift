import Foundation

/// Butterworth filters for measurements: poles evenly spaced on a circle, in second-order sections
/// through the bilinear transform.
public struct TestFilter {
  private var sections: [(b: [Double], a: [Double])]

  public static func lowPass(_ hz: Double, order: Int, sampleRateHz: Double) -> TestFilter {
    TestFilter(hz, order, sampleRateHz, isHigh: false)
  }

  public static func highPass(_ hz: Double, order: Int, sampleRateHz: Double) -> TestFilter {
    TestFilter(hz, order, sampleRateHz, isHigh: true)
  }

  /// The octave around `hz`, with slopes of 36 dB an octave.
  public static func octave(_ hz: Double, sampleRateHz: Double) -> TestFilter {
    var filter = highPass(hz / 2.0.squareRoot(), order: 6, sampleRateHz: sampleRateHz)
    filter.sections +=
      lowPass(hz * 2.0.squareRoot(), order: 6, sampleRateHz: sampleRateHz).sections
    return filter
  }

  private init(_ hz: Double, _ order: Int, _ sampleRateHz: Double, isHigh: Bool) {
    let w = tan(.pi * hz / sampleRateHz)
    sections = (0..<order / 2).map { pair in
      let damping = 2 * cos(.pi * (2 * Double(pair) + 1) / (2 * Double(order)))
      let scale = 1 / (1 + damping * w + w * w)
      let gain = (isHigh ? 1 : w * w) * scale
      return (
        b: [gain, (isHigh ? -2 : 2) * gain, gain],
        a: [2 * (w * w - 1) * scale, (1 - damping * w + w * w) * scale]
      )
    }
  }

  public func apply(_ input: [Double]) -> [Double] {
    var output = input
    for (b, a) in sections {
      let (b0, b1, b2, a1, a2) = (b[0], b[1], b[2], a[0], a[1])
      var (s1, s2) = (0.0, 0.0)
      for i in output.indices {
        let x = output[i]
        let y = b0 * x + s1
        s1 = b1 * x - a1 * y + s2
        s2 = b2 * x - a2 * y
        output[i] = y
      }
    }
    return output
  }
}
