import Analyzer
import Foundation
import Statistics

extension PitchTrack {
  /// Annotated pitch brought onto equal steps, by the rules of mir_eval: a frame is voiced where
  /// the last point at or before it is, and its pitch lies on the straight line of semitones to
  /// the next point, or is held where that one is unvoiced. Zeros are never interpolated through.
  ///
  /// Beyond those rules, a point without another within one and a half steps of its series (the
  /// median distance between points) holds for half a step: a gap in the series is unvoiced, and so
  /// is what comes after its end.
  ///
  /// - Parameter points: in order of time.
  public init(points: [PitchPoint], hopSeconds: Double = 0.005, durationSeconds: Double) {
    let step = Self.medianStep(points)
    var f0 = [Double](repeating: 0, count: Int(durationSeconds / hopSeconds) + 1)
    var before = -1
    for frame in f0.indices {
      // Times were rounded when they were written; a frame a hair early still has its point.
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
    self.init(hopSeconds: hopSeconds, f0Hz: f0, voicing: f0.map { $0 > 0 ? 1 : 0 })
  }

  private static func medianStep(_ points: [PitchPoint]) -> Double {
    let steps = zip(points.dropFirst(), points).map { $0.timeSeconds - $1.timeSeconds }
    return Statistics.median(steps) ?? 0.010
  }
}
