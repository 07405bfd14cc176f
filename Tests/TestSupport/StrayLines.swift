import DSP
import Foundation

/// The strongest line away from a tone, in dB relative to the tone.
///
/// Frames are 43 ms long under a Blackman-Harris window, with side lobes below -92 dB; the first
/// 0.1 s doesn't count. Lines nearer to the tone than `guardHz` belong to it.
public func strayLineDb(in output: [Float], besideHz toneHz: Double, guardHz: Double) -> Double {
  let count = 2048
  var transform = FourierTransform(count: count)
  let window = blackmanHarris(count).map(Float.init)
  let lineHz = 48_000 / Double(count)
  var frame = [Float](repeating: 0, count: count)
  var (loudest, stray): (Float, Float) = (1e-20, 1e-20)
  for start in stride(from: 4800, to: output.count - count, by: 256) {
    for i in frame.indices { frame[i] = output[start + i] * window[i] }
    transform.forward(frame.span)
    for bin in 0..<transform.binCount {
      let power = transform[bin].power
      if abs(Double(bin) * lineHz - toneHz) < guardHz {
        loudest = max(loudest, power)
      } else {
        stray = max(stray, power)
      }
    }
  }
  return 10 * log10(Double(stray / loudest))
}

/// A window with side lobes under -92 dB, whose main lobe is twice as wide as Hann's.
///
/// - Source: Harris, "On the use of windows for harmonic analysis with the discrete Fourier
///   transform", Proc. IEEE 66(1), 1978.
public func blackmanHarris(_ count: Int) -> [Double] {
  (0..<count).map { index in
    let angle = 2 * Double.pi * Double(index) / Double(count - 1)
    return 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) - 0.01168 * cos(3 * angle)
  }
}
