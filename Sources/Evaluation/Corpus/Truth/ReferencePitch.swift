import Analyzer
import Foundation
import Singer
import Statistics

extension PitchTrack {
  /// Resamples annotated pitch to equal steps, by the rules of mir_eval: a frame is voiced if the
  /// last point at or before it is. Its pitch is interpolated in semitones to the next point, or held
  /// if that one is unvoiced; it is never interpolated to or from 0.
  ///
  /// In addition, a point that no other follows within 1.5 median steps of the series holds for half
  /// a step: gaps in the series and the time after its end are unvoiced.
  ///
  /// - Parameter points: sorted by time.
  public init(points: [PitchPoint], hopSeconds: Double = 0.005, durationSeconds: Double) {
    let step = Self.medianStep(points)
    var f0 = [Double](repeating: 0, count: Int(durationSeconds / hopSeconds) + 1)
    var before = -1
    for frame in f0.indices {
      // Written times are rounded; a frame up to 1 µs early still has its point.
      let time = Double(frame) * hopSeconds + 1e-6
      while before + 1 < points.count, points[before + 1].timeSeconds <= time { before += 1 }
      guard before >= 0, points[before].f0Hz > 0 else { continue }
      let past = time - points[before].timeSeconds
      let next = before + 1 < points.count ? points[before + 1] : nil
      guard let next, next.timeSeconds - points[before].timeSeconds < 1.5 * step else {
        if past < step / 2 { f0[frame] = points[before].f0Hz }
        continue
      }
      f0[frame] = points[before].f0Hz
      guard next.f0Hz > 0 else { continue }
      let share = (past - 1e-6) / (next.timeSeconds - points[before].timeSeconds)
      f0[frame] *= exp2(log2(next.f0Hz / points[before].f0Hz) * max(0, share))
    }
    self.init(hopSeconds: hopSeconds, f0Hz: f0)
  }

  private static func medianStep(_ points: [PitchPoint]) -> Double {
    let steps = zip(points.dropFirst(), points).map { $0.timeSeconds - $1.timeSeconds }
    return Statistics.median(steps) ?? 0.010
  }
}

extension PitchTrack {
  /// The pitch that the synthetic singer sang, every 5 ms.
  package init(of truth: Truth) {
    let hop = 0.005
    let count = Int(Double(truth.f0Hz.count) / truth.sampleRateHz / hop)
    let f0 = (0..<count).map {
      truth.f0Hz[Int((Double($0) * hop * truth.sampleRateHz).rounded())]
    }
    self.init(hopSeconds: hop, f0Hz: f0)
  }
}

extension PitchTracker {
  /// The tracker with default settings.
  package static let standard = try! PitchTracker()
}
