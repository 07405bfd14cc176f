import DSP
import Foundation
import Testing

@testable import Effects

/// The closed forms against sums over a thousand points between each two samples.
@Suite struct ClipperTests {
  /// Small steps, large steps, constant stretches, and the clipping levels themselves.
  static let wave: [Float] =
    [0, 0, 0.3, 0.99, 1, 1.01, 5, 5, 4, -4, -1, -1, 1, -1, 0, 100, -300, 0.5, 0.5001, 1e-8, 0]
    + noise(amplitude: 3, seconds: 0.001)

  private func points(from a: Float, to b: Float) -> [(share: Double, value: Double)] {
    (0..<1000).map {
      let share = (Double($0) + 0.5) / 1000
      return (share, Double(a) + share * (Double(b) - Double(a)))
    }
  }

  @Test func hardClippingIsTheMeanUnderATriangle() {
    var clipper = HardClipper(longest: Self.wave.count)
    var wave = RealtimeArray<Float>(Self.wave)
    clipper.pass(&wave, Self.wave.count)
    let samples = [0, 0] + Self.wave
    for i in Self.wave.indices {
      let rising = points(from: samples[i], to: samples[i + 1]).map {
        $0.share * min(max($0.value, -1), 1)
      }
      let falling = points(from: samples[i + 1], to: samples[i + 2]).map {
        (1 - $0.share) * min(max($0.value, -1), 1)
      }
      let mean = (rising.reduce(0, +) + falling.reduce(0, +)) / 1000
      // The sum errs by part of a point at the bend, with steps of up to 400 over 1000 points.
      #expect(abs(Double(wave[i]) - mean) < 1e-4, "sample \(i)")
    }
  }

  @Test func softClippingIsTheMeanBetweenSamples() {
    var clipper = SoftClipper(longest: Self.wave.count)
    var wave = RealtimeArray<Float>(Self.wave)
    clipper.pass(&wave, Self.wave.count)
    let samples = [0] + Self.wave
    for i in Self.wave.indices {
      let bent = points(from: samples[i], to: samples[i + 1]).map { point -> Double in
        let value: Double = point.value
        return value / (1 + value * value).squareRoot()
      }
      let mean = bent.reduce(0, +) / 1000
      #expect(abs(Double(wave[i]) - mean) < 1e-4, "sample \(i)")
    }
  }
}
