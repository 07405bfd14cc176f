import DSP
import Foundation

/// The Fourier sum of a sound at one frequency, with phases from sample 0 of the sound.
public func spectralLine(
  of samples: [Double], hz: Double, sampleRateHz: Double = 48_000
) -> Complex {
  var line = Complex(0, 0)
  for i in samples.indices {
    let angle = 2 * .pi * hz * Double(i) / sampleRateHz
    line = line + Complex(samples[i] * cos(angle), -samples[i] * sin(angle))
  }
  return line
}

/// The Fourier sum of a part of a sound at one frequency under a Hann window, with phases from
/// sample 0 of the sound.
public func hannLine(
  of samples: [Float], _ part: Range<Int>, hz: Double, sampleRateHz: Double = 48_000
) -> Complex {
  var line = Complex(0, 0)
  for i in part {
    let place = Double(i - part.lowerBound) / Double(part.count)
    let weighted = Double(samples[i]) * (0.5 - 0.5 * cos(2 * .pi * place))
    let angle = 2 * .pi * hz * Double(i) / sampleRateHz
    line = line + Complex(weighted * cos(angle), -weighted * sin(angle))
  }
  return line
}
