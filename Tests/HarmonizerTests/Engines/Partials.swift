import DSP
import Foundation

/// Sample rate of the tones here, and of the sounds whose partials are measured.
let partialsRateHz = 48_000.0

/// Sixteen partials of a tone with arbitrary phases.
func harmonicTone(hz: Double, seconds: Double, amplitude: (Double) -> Double) -> [Float] {
  let levels = (1...16).map { amplitude(Double($0)) * 0.2 }
  return (0..<Int(seconds * partialsRateHz)).map { n -> Float in
    let phase = 2 * Double.pi * hz * Double(n) / partialsRateHz
    var sum = 0.0
    for (index, level) in levels.enumerated() {
      let k = Double(index + 1)
      sum += level * sin(k * phase + k * k)
    }
    return Float(sum)
  }
}

func energy(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }

/// The sine and cosine components at `hz` in `x`, by least squares under a Hann window.
private func parts(of hz: Double, in x: [Double]) -> (sine: Double, cosine: Double) {
  let window = Window.hann.samples(x.count)
  var (ss, sc, cc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
  for n in x.indices {
    let (s, c) = (
      sin(2 * .pi * hz * Double(n) / partialsRateHz), cos(2 * .pi * hz * Double(n) / partialsRateHz)
    )
    ss += window[n] * s * s
    sc += window[n] * s * c
    cc += window[n] * c * c
    xs += window[n] * x[n] * s
    xc += window[n] * x[n] * c
  }
  let determinant = ss * cc - sc * sc
  return ((xs * cc - xc * sc) / determinant, (xc * ss - xs * sc) / determinant)
}

func amplitude(of hz: Double, in x: [Double]) -> Double {
  let (sine, cosine) = parts(of: hz, in: x)
  return (sine * sine + cosine * cosine).squareRoot()
}

func removing(_ hz: Double, from x: [Double]) -> [Double] {
  let (sine, cosine) = parts(of: hz, in: x)
  return x.indices.map { n in
    let phase = 2 * .pi * hz * Double(n) / partialsRateHz
    return x[n] - sine * sin(phase) - cosine * cos(phase)
  }
}
