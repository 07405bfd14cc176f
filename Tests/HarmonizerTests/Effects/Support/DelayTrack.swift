import Foundation

/// The delay of a tone of 1 kHz at 48 kHz over time, one value a millisecond, from its phase.
///
/// In 48 samples, one cycle, the tone's mirror image cancels. A delay that changes by less than 1 %
/// in that time has an error below 1e-4 cycles.
struct DelayTrack {
  /// The delays in samples. Whole cycles are unknown, so the first is in -24..<24.
  let samples: [Double]

  init(_ output: [Float], fromSeconds: Double) {
    var delays: [Double] = []
    for start in stride(from: Int(fromSeconds * 1000) * 48, to: output.count - 47, by: 48) {
      var (re, im) = (0.0, 0.0)
      for k in 0..<48 {
        let angle = 2 * .pi * Double(k) / 48
        re += Double(output[start + k]) * sin(angle)
        im += Double(output[start + k]) * cos(angle)
      }
      var delay = -atan2(im, re) / (2 * .pi) * 48
      if let last = delays.last { delay += 48 * ((last - delay) / 48).rounded() }
      delays.append(delay)
    }
    samples = delays
  }

  var mean: Double { samples.reduce(0, +) / Double(samples.count) }

  /// Cycles per second, from the first to the last upward crossing of the mean.
  var rateHz: Double {
    let mean = mean
    var rises: [Double] = []
    for i in 1..<samples.count where samples[i - 1] < mean && samples[i] >= mean {
      rises.append(Double(i - 1) + (mean - samples[i - 1]) / (samples[i] - samples[i - 1]))
    }
    return Double(rises.count - 1) / (rises.last! - rises.first!) * 1000
  }

  /// The amplitude in samples and the phase in cycles of the sine at `rateHz`, over whole cycles.
  func sine(rateHz: Double) -> (amplitude: Double, turns: Double) {
    let cycles = (Double(samples.count) * rateHz / 1000).rounded(.down)
    let count = Int((cycles * 1000 / rateHz).rounded())
    let mean = samples[..<count].reduce(0, +) / Double(count)
    var (re, im) = (0.0, 0.0)
    for i in 0..<count {
      // A value belongs to the middle of its millisecond.
      let angle = 2 * .pi * rateHz * (Double(i) + 0.5) / 1000
      re += (samples[i] - mean) * cos(angle)
      im += (samples[i] - mean) * sin(angle)
    }
    return (2 * (re * re + im * im).squareRoot() / Double(count), atan2(re, im) / (2 * .pi))
  }
}
