/// An interval that may change over time: how far above a lead another voice sings.
public struct ShiftCurve: Codable, Equatable, Sendable {
  /// Positive is up; at equal steps from time 0, on straight lines between, the first and last value
  /// beyond.
  public var semitones: [Double]
  public var hopSeconds: Double

  public init(semitones: [Double], hopSeconds: Double) {
    self.semitones = semitones
    self.hopSeconds = hopSeconds
  }

  /// The same interval throughout.
  public static func constant(_ semitones: Double) -> ShiftCurve {
    ShiftCurve(semitones: [semitones], hopSeconds: 1)
  }

  public func semitones(atSeconds time: Double) -> Double {
    guard let first = semitones.first, let last = semitones.last else { return 0 }
    let position = time / hopSeconds
    guard position > 0 else { return first }
    guard position < Double(semitones.count - 1) else { return last }
    let before = Int(position)
    let share = position - Double(before)
    return semitones[before] + share * (semitones[before + 1] - semitones[before])
  }
}
