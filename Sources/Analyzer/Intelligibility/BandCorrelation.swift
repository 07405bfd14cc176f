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
    let columns = (0..<ThirdOctaves.bandCount).map { band in
      (x: reference.map { $0[band] }, y: output.map { $0[band] })
    }
    var (x, y) = (
      [Double](repeating: 0, count: frameCount), [Double](repeating: 0, count: frameCount)
    )
    var sum = 0.0
    for end in frameCount...reference.count {
      for column in columns {
        for i in 0..<frameCount {
          x[i] = column.x[end - frameCount + i]
          y[i] = column.y[end - frameCount + i]
        }
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
    let (x, y) = (reference.flatMap(\.self), output.flatMap(\.self))
    var sum = 0.0
    for end in frameCount...reference.count {
      let range = end - frameCount..<end
      // For a stretch of digital silence the expected correlation is 0.
      guard !isFlat(reference[range]), !isFlat(output[range]) else { continue }
      let values = ThirdOctaves.bandCount * range.lowerBound..<ThirdOctaves.bandCount * end
      sum += correlation(Array(x[values]), Array(y[values]), &random)
    }
    return sum / Double(reference.count - frameCount + 1)
  }

  /// The correlation of two stretches, given frame by frame. The original adds noise of 2e-16,
  /// which decides the result for a flat band. This does the same but averages 16 draws, which is
  /// closer to the original's mean.
  private static func correlation(
    _ x: [Double], _ y: [Double], _ random: inout SeededGenerator
  ) -> Double {
    var noisy = false
    let draws = 16
    var sum = 0.0
    for _ in 0..<draws {
      let a = normalized(x, &random, &noisy)
      let b = normalized(y, &random, &noisy)
      var value = 0.0
      for start in stride(from: 0, to: a.count, by: ThirdOctaves.bandCount) {
        var product = 0.0
        for i in start..<start + ThirdOctaves.bandCount { product += a[i] * b[i] }
        value += product
      }
      value /= Double(frameCount)
      guard noisy else { return value }
      sum += value
    }
    return sum / Double(draws)
  }

  private static func normalized(
    _ stretch: [Double], _ random: inout SeededGenerator, _ noisy: inout Bool
  ) -> [Double] {
    var result = stretch
    let (bands, count) = (ThirdOctaves.bandCount, stretch.count)
    for band in 0..<bands {
      normalize(&result, stride(from: band, to: count, by: bands), frameCount, &random, &noisy)
    }
    for start in stride(from: 0, to: count, by: bands) {
      normalize(&result, stride(from: start, to: start + bands, by: 1), bands, &random, &noisy)
    }
    return result
  }

  /// Removes the mean and scales to unit energy, at `count` places.
  private static func normalize(
    _ values: inout [Double], _ places: StrideTo<Int>, _ count: Int,
    _ random: inout SeededGenerator, _ noisy: inout Bool
  ) {
    func spread() -> (mean: Double, norm: Double) {
      var sum = 0.0
      for i in places { sum += values[i] }
      let mean = sum / Double(count)
      var square = 0.0
      for i in places { square += (values[i] - mean) * (values[i] - mean) }
      return (mean, square.squareRoot())
    }
    var found = spread()
    // Noise of 2e-16 changes values above this threshold by less than one part in a million.
    if found.norm < 1e-9 {
      noisy = true
      for i in places { values[i] += Double.ulpOfOne * random.gaussianPair().0 }
      found = spread()
    }
    let scale = 1 / found.norm
    for i in places { values[i] = (values[i] - found.mean) * scale }
  }

  private static func isFlat(_ stretch: ArraySlice<[Double]>) -> Bool {
    stretch.allSatisfy { $0 == stretch[stretch.startIndex] }
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
}
