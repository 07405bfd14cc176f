import DSP
import Foundation
import Statistics

/// The power cepstrum of half-second frames, and its median over the frames with sound.
struct EchoCepstrum: ~Copyable {
  private var transform: FourierTransform
  private let taper: [Float]
  private let hop: Int

  init(sampleRateHz: Double) {
    let count = 1 << Int(log2(0.5 * sampleRateHz).rounded())
    transform = FourierTransform(count: count)
    taper = Window.hann.samples(count).map { Float($0) }
    hop = count / 4
  }

  /// Returns the gain of a copy at each delay in samples, from 0 up to, not including, `most` or
  /// half a frame; nothing for a silent sound.
  mutating func median(of samples: [Float], upTo most: Int) -> [Double] {
    let count = taper.count
    let starts = Array(stride(from: 0, through: samples.count - count, by: hop))
    let energies = starts.map { start in
      samples[start..<start + count].reduce(0.0) { $0 + Double($1) * Double($1) }
    }
    let least = (energies.max() ?? 0) * 0.01
    let width = min(most, count / 2)
    var rows: [Float] = []
    for (start, energy) in zip(starts, energies) where energy >= least && energy > 0 {
      rows += cepstrum(samples[start..<start + count], energy).prefix(width)
    }
    guard !rows.isEmpty else { return [] }
    var column = [Float](repeating: 0, count: rows.count / width)
    return (0..<width).map { place -> Double in
      for row in column.indices { column[row] = rows[row * width + place] }
      return Statistics.median(sorting: &column) / Window.hannOverlap(Double(place) / Double(count))
    }
  }

  private mutating func cepstrum(_ samples: ArraySlice<Float>, _ energy: Double) -> [Float] {
    let count = taper.count
    let tapered = zip(samples, taper).map { $0 * $1 }
    transform.forward(tapered.span)
    // A floor 60 dB under the mean keeps empty bins from dominating the logarithm.
    let floor = Float(energy * 0.375 * 1e-6)
    do {
      var spectrum = transform.spectrum
      for i in 0..<spectrum.count {
        spectrum[i] = ComplexFloat(log(spectrum[i].power + floor), 0)
      }
    }
    transform.inverse()
    let values = transform.samples
    return (0..<count / 2).map { values[$0] / Float(count) }
  }
}
