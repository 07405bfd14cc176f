import DSP

/// Shift of the voice at each instant of the sound: the decision at each estimate, and straight
/// lines between.
///
/// - Allocates: in `init` only.
struct ShiftLine: ~Copyable, @unchecked Sendable {
  struct Point: BitwiseCopyable, Sendable {
    var sample: Int
    var semitones: Double
    /// Pitch of the shifted voice above A4, in semitones; `nil` where it has no pitch.
    var pitch: Double?
    /// True if a straight line leads here; otherwise a leap just after the point before.
    var joins: Bool

    @_noLocks init(sample: Int, semitones: Double, pitch: Double?, joins: Bool) {
      (self.sample, self.semitones, self.joins) = (sample, semitones, joins)
      self.pitch = pitch
    }
  }

  private var points: RealtimeArray<Point>  // ring, a power of two
  private var pointCount = 0

  /// - Parameter count: how many points back it is asked at most.
  init(count: Int) {
    points = RealtimeArray(
      repeating: Point(sample: 0, semitones: 0, pitch: nil, joins: false),
      count: powerOfTwo(above: count))
  }

  @_noLocks mutating func add(_ point: Point) {
    points[pointCount & (points.count - 1)] = point
    pointCount += 1
  }

  /// Sample of the newest point; the least integer before the first.
  var lastSample: Int { @_noLocks get { pointCount > 0 ? point(pointCount - 1).sample : -.max } }

  /// Returns the shift at an instant; after the last point, the shift of that point.
  @_noLocks func at(_ sample: Double) -> (semitones: Double, pitch: Double?) {
    guard pointCount > 0 else { return (0, nil) }
    var after = point(pointCount - 1)
    guard sample < Double(after.sample) else { return (after.semitones, after.pitch) }
    var place = pointCount - 2
    while place >= max(0, pointCount - points.count) {
      let before = point(place)
      if Double(before.sample) <= sample {
        guard after.joins else { return (after.semitones, after.pitch) }
        let share = (sample - Double(before.sample)) / Double(after.sample - before.sample)
        var pitch = before.pitch
        if let one = before.pitch, let other = after.pitch { pitch = one + share * (other - one) }
        return (before.semitones + share * (after.semitones - before.semitones), pitch)
      }
      after = before
      place -= 1
    }
    return (after.semitones, after.pitch)
  }

  @_noLocks mutating func reset() { pointCount = 0 }

  @_noLocks private func point(_ index: Int) -> Point {
    points[index & (points.count - 1)]
  }
}
