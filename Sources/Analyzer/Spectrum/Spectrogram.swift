import DSP
import Foundation

/// The level of a sound over time and frequency, for display.
///
/// Frequencies are spaced evenly on a logarithmic axis. Each cell shows the loudest value between
/// its neighbours, so that no click or partial is lost.
///
/// - Cost: one Fourier transform of `windowMs` every quarter of it. Allocates.
/// - Source: Allen and Rabiner, "A unified approach to short-time Fourier analysis and synthesis",
///   Proc. IEEE 65(11), 1977.
public struct Spectrogram: Sendable {
  /// Window length, which separates the partials of a low voice.
  private static let windowMs = 40.0
  private static let floorHz = 50.0
  /// Highest frequency, at most half of the sample rate.
  private static let ceilingHz = 10_000.0

  /// Time between columns; column `i` is centred at `i * hopSeconds`.
  public let hopSeconds: Double
  /// Frequency of each row, ascending.
  public let frequenciesHz: [Double]
  /// Levels by column, then row. A full-scale sine has about 0; silence -200.
  public let levelsDb: [[Float]]
}

extension Spectrogram {
  /// Analyzes the sound in one pass, column by column.
  ///
  /// - Parameter maxColumns: maximum number of columns, for any length of sound; at least 2.
  public init<Sound: SoundSource>(
    of sound: Sound, rows: Int = 240, maxColumns: Int = 900
  ) throws(Sound.Failure) {
    let rate = sound.sampleRateHz
    let count = max(4, Int(Self.windowMs / 1000 * rate))
    let window = Window.hann.samples(count + 2).dropFirst().dropLast().map { Float($0) }
    var transform = FourierTransform(count: powerOfTwo(above: 4 * count - 1))
    let binHz = rate / Double(transform.count)
    let top = max(2 * Self.floorHz, min(Self.ceilingHz, rate / 2))
    let octaves = log2(top / Self.floorHz)
    let octavesPerRow = octaves / Double(rows - 1)
    func frequency(atRow row: Double) -> Double { Self.floorHz * exp2(octavesPerRow * row) }
    frequenciesHz = (0..<rows).map { frequency(atRow: Double($0)) }
    // Each row reaches half-way to its neighbours.
    let edges = (0...rows).map { frequency(atRow: Double($0) - 0.5) / binHz }

    let step = max(1, count / 4)
    let frames = sound.count / step + 1
    let perColumn = max(1, (frames + maxColumns - 3) / (maxColumns - 1))
    let shift = (perColumn - 1) / 2  // frames of a column before its centre
    hopSeconds = Double(step * perColumn) / rate
    let fullScale = 2 / window.reduce(0, +)
    var columns: [[Float]] = []
    for first in stride(from: -shift, to: frames, by: perColumn) {
      let last = min(first + perColumn, frames)
      let begin = first * step - count / 2
      let samples = try sound.paddedSamples(begin..<(last - 1) * step - count / 2 + count)
      var loudest = [Float](repeating: 1e-20, count: rows)
      for frame in first..<last {
        let start = (frame - first) * step
        let cut = (0..<count).map { n -> Float in
          samples[start + n].isFinite ? samples[start + n] * window[n] * fullScale : 0
        }
        transform.forward(cut.span)
        for row in 0..<rows {
          let power = Self.power(between: edges[row], and: edges[row + 1], of: transform)
          loudest[row] = max(loudest[row], power)
        }
      }
      columns.append(loudest.map { 10 * log10($0) })
    }
    levelsDb = columns
  }

  /// The largest power of the bins between two positions, or an interpolated one if there are none.
  private static func power(
    between low: Double, and high: Double, of transform: borrowing FourierTransform
  ) -> Float {
    let last = transform.binCount - 1
    let (first, end) = (Int(low.rounded(.up)), Int(high.rounded(.down)))
    guard first <= end else {
      let place = min((low + high) / 2, Double(last))
      let below = min(Int(place), max(0, last - 1))
      let share = Float(place - Double(below))
      return transform[below].power * (1 - share) + transform[min(below + 1, last)].power * share
    }
    return (min(first, last)...min(end, last)).reduce(Float(0)) { max($0, transform[$1].power) }
  }
}
