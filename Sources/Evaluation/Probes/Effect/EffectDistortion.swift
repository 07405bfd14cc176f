import DSP
import Foundation
import Platform
import Subjects

/// The harmonics that an effect adds to a sine, and their mirror images at half the sample rate.
///
/// All frequencies are whole and the last second of a sound is transformed, so that each line has one bin. The
/// bins between them hold noise and what is left of the start.
enum EffectDistortion {
  private static let second = 48_000
  private static let levelsDb = [-40.0, -20, -6, 0]
  private static let levelSeconds = 4
  /// Prime, so that no image of a harmonic falls on another.
  private static let (lowHz, highHz) = (997, 5003)

  static var levelledTone: [Float] {
    levelsDb.flatMap {
      EffectProbe.tone(hz: Double(lowHz), levelDb: $0, seconds: Double(levelSeconds))
    }
  }

  static var highTone: [Float] {
    EffectProbe.tone(hz: Double(highHz), levelDb: -6, seconds: Double(levelSeconds))
  }

  /// Returns the total harmonic distortion up to 24 kHz at each level.
  static func harmonics(of output: [Float]) -> [ProbeFinding] {
    levelsDb.enumerated().map { index, levelDb in
      let end = (index + 1) * levelSeconds * second
      let lines = Lines(of: output[end - second..<end])
      let harmonics = Array(stride(from: 2 * lowHz, to: second / 2, by: lowHz))
      let name = "thd.\(Int(levelDb))"
      guard let found = lines.share(of: harmonics, toneHz: lowHz) else {
        return .undefined(.effect, name, "no tone of \(lowHz) Hz comes out")
      }
      let percent = 100 * found.ratio
      return .effect(
        name, percent, "%",
        (found.isAboveNoise ? "" : "at most, by noise: ")
          + "harmonics of a sine of \(lowHz) Hz at \(fixed(levelDb, 0)) dBFS, "
          + "\(fixed(20 * log10(max(found.ratio, 1e-12)))) dB")
    }
  }

  /// Returns the level of the images below 20 kHz of harmonics above half the sample rate.
  static func aliases(of output: [Float]) -> ProbeFinding {
    let images = (5...40).compactMap { order -> Int? in
      let folded = order * highHz % second
      let hz = min(folded, second - folded)
      return order * highHz > second / 2 && 20...20_000 ~= hz ? hz : nil
    }
    guard let found = Lines(of: output.suffix(second)).share(of: images, toneHz: highHz) else {
      return .undefined(.effect, "aliasing", "no tone of \(highHz) Hz comes out")
    }
    return .effect(
      "aliasing", 20 * log10(max(found.ratio, 1e-12)), "dB",
      (found.isAboveNoise ? "" : "at most, by noise: ")
        + "images of the harmonics of a sine of \(highHz) Hz at -6 dBFS, relative to it")
  }

  private struct Lines {
    private let powers: [Double]

    init(of samples: ArraySlice<Float>) {
      var transform = PreciseTransform(count: second)
      powers = transform.power(of: samples.map(Double.init))
    }

    /// Returns the amplitude of lines relative to a tone; `nil` without a tone above -100 dBFS.
    func share(of lines: [Int], toneHz: Int) -> (ratio: Double, isAboveNoise: Bool)? {
      let tone = powers[toneHz]
      let full = Double(second) / 2
      guard tone > 1e-10 * full * full else { return nil }
      let power = lines.reduce(0) { $0 + powers[$1] }
      // Bins beside the lines, away from all multiples.
      let noise = lines.reduce(0) { $0 + (powers[$1 - 7] + powers[min($1 + 7, second / 2)]) / 2 }
      return ((power / tone).squareRoot(), power > 4 * noise)
    }
  }
}
