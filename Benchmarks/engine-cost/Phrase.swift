import Foundation

/// A phrase of four seconds: a voice with glides and vibrato, a hiss, a pause.
enum Phrase {
  static let sampleRateHz = 48_000.0

  static func samples() -> [Float] {
    var (phase, noise) = (0.0, UInt64(1))
    return (0..<192_000).map { n in
      let second = (Double(n) / sampleRateHz).truncatingRemainder(dividingBy: 2)
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      if second > 1.9 { return 0 }
      if second > 1.7 { return 0.05 * (Float(noise >> 40) / 8_388_608 - 1) }
      let hz = 165 * exp2(0.5 * second + 0.04 * sin(2 * .pi * 5.5 * second))
      phase += hz / sampleRateHz
      // Pulses through two resonances, roughly a vowel.
      return (1...20).reduce(Float(0)) { sum, k in
        let f = Double(k) * hz
        let level = 1 / (1 + pow((f - 600) / 120, 2)) + 0.3 / (1 + pow((f - 1800) / 150, 2)) + 0.02
        return sum + Float(0.2 * level * cos(2 * .pi * Double(k) * phase))
      }
    }
  }
}
