import DSP
import Foundation
import TestSupport

/// The highest level above a frequency in any frame of 43 ms, in dB relative to a sine of 0.5.
func highestDb(_ sound: [Float], fromHz: Double) -> Double {
  let size = 2048
  var highest = 1e-24
  for start in stride(from: 0, to: sound.count - size, by: size / 4) {
    for hz in stride(from: fromHz, to: 24_000, by: 1500) {
      highest = max(highest, hannLine(of: sound, start..<start + size, hz: hz).power)
    }
  }
  return 10 * log10(highest) - 20 * log10(0.25 * Double(size) / 2)
}
