import DSP
import Foundation

/// The correlation of two sounds' band levels over stretches of 30 frames.
///
/// Levels come as one row of bands per frame, with equally many frames of both sounds.
enum BandCorrelation {
  static let frameCount = 30

  /// Returns STOI's mean correlation: each band of a stretch is scaled to the reference's energy,
  /// clipped at 15 dB of distortion, and correlated over time.
  static func clipped(of output: [[Double]], with reference: [[Double]]) -> Double {
    let top = 1 + pow(10, 15.0 / 20)
    var sum = 0.0
    for end in frameCount...reference.count {
      for band in 0..<ThirdOctaves.bandCount {
        var x = (end - frameCount..<end).map { reference[$0][band] }
        var y = (end - frameCount..<end).map { output[$0][band] }
        let scale = norm(x) / (norm(y) + Double.ulpOfOne)
        for i in y.indices { y[i] = min(y[i] * scale, x[i] * top) }
        center(&x)
        center(&y)
        sum += dot(x, y) / ((norm(x) + Double.ulpOfOne) * (norm(y) + Double.ulpOfOne))
      }
    }
    return sum / Double((reference.count - frameCount + 1) * ThirdOctaves.bandCount)
  }

  /// Returns ESTOI's mean correlation: a stretch is normalized over time in each band, then over
  /// the bands in each frame, and the spectra are correlated frame by frame.
  static func normalized(of output: [[Double]], with reference: [[Double]]) -> Double {
    var random = SeededGenerator(seed: 1)
    var sum = 0.0
    for end in frameCount...reference.count {
      let range = end - frameCount..<end
      let (x, y) = (Array(reference[range]), Array(output[range]))
      // For a stretch of digital silence the expected correlation is 0.
      guard !isFlat(x), !isFlat(y) else { continue }
      sum += correlation(x, y, &random)
    }
    return sum / Double(reference.count - frameCount + 1)
  }

  /// The correlation of two stretches. The original adds noise of 2e-16, which decides the result
  /// for a flat band. This does the same but averages 16 draws, which is closer to the original's
  /// mean.
  private static func correlation(
    _ x: [[Double]], _ y: [[Double]], _ random: inout SeededGenerator
  ) -> Double {
    var noisy = false
    let draws = 16
    var sum = 0.0
    for _ in 0..<draws {
      let a = normalized(x, &random, &noisy)
      let b = normalized(y, &random, &noisy)
      let value = zip(a, b).reduce(0) { $0 + dot($1.0, $1.1) } / Double(frameCount)
      guard noisy else { return value }
      sum += value
    }
    return sum / Double(draws)
  }

  private static func normalized(
    _ stretch: [[Double]], _ random: inout SeededGenerator, _ noisy: inout Bool
  ) -> [[Double]] {
    var result = stretch
    for band in 0..<ThirdOctaves.bandCount {
      var row = stretch.map { $0[band] }
      normalize(&row, &random, &noisy)
      for i in row.indices { result[i][band] = row[i] }
    }
    for i in result.indices { normalize(&result[i], &random, &noisy) }
    return result
  }

  /// Removes the mean and scales to unit energy.
  private static func normalize(
    _ values: inout [Double], _ random: inout SeededGenerator, _ noisy: inout Bool
  ) {
    var centered = values
    center(&centered)
    // Noise of 2e-16 changes values above this threshold by less than one part in a million.
    if norm(centered) < 1e-9 {
      noisy = true
      for i in values.indices { values[i] += Double.ulpOfOne * normal(&random) }
      centered = values
      center(&centered)
    }
    let scale = 1 / norm(centered)
    values = centered.map { $0 * scale }
  }

  private static func isFlat(_ stretch: [[Double]]) -> Bool {
    stretch.allSatisfy { $0 == stretch[0] }
  }

  private static func center(_ values: inout [Double]) {
    let mean = values.reduce(0, +) / Double(values.count)
    for i in values.indices { values[i] -= mean }
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for i in a.indices { sum += a[i] * b[i] }
    return sum
  }

  private static func norm(_ values: [Double]) -> Double { dot(values, values).squareRoot() }

  /// A normally distributed random number, by the Box-Muller method.
  private static func normal(_ random: inout SeededGenerator) -> Double {
    let radius = (-2 * log(1 - random.uniform())).squareRoot()
    return radius * cos(2 * .pi * random.uniform())
  }
}
