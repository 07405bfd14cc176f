import DSP
import Foundation
import TestSupport

/// The pitch of a sound at 48 kHz, every 5 ms, from the phase of its fundamental under Hann windows.
struct PitchContour {
  /// Distances from the expected pitch.
  let cents: [Double]

  private static let hop = 240

  /// - Parameters:
  ///   - start: sample at which the first window begins.
  ///   - width: samples of a window.
  init(of sound: [Float], near hz: Double, from start: Int, width: Int, steps: Int) {
    let phases = (0...steps).map { step in
      let begin = start + step * Self.hop
      let line = hannLine(of: sound, begin..<begin + width, hz: hz)
      return atan2(line.im, line.re) / (2 * .pi)
    }
    cents = zip(phases, phases.dropFirst()).map { before, after in
      let turns = (after - before) - (after - before).rounded()
      return 1200 * log2(1 + turns / (hz * Double(Self.hop) / 48_000))
    }
  }

  /// Number of steps in whole waves of a vibrato at 5.5 Hz.
  static func steps(waves: Int) -> Int { Int(Double(waves) / 5.5 * 48_000) / hop }

  /// Extent and delay of a vibrato at 5.5 Hz.
  var swing: (cents: Double, lateMs: Double) {
    var (sine, cosine) = (0.0, 0.0)
    for (step, cents) in cents.enumerated() {
      let angle = 2 * .pi * 5.5 * Double(step * Self.hop) / 48_000
      sine += cents * sin(angle)
      cosine += cents * cos(angle)
    }
    let extent = 2 * (sine * sine + cosine * cosine).squareRoot() / Double(cents.count)
    return (extent, atan2(-cosine, sine) / (2 * .pi * 5.5) * 1000)
  }
}
