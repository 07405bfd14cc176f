import Platform

/// A position of the pitch wheel, held until the next.
public struct PitchBend: Codable, Equatable, Sendable {
  public var atSeconds: Double
  public var semitones: Double

  public init(atSeconds: Double, semitones: Double) {
    (self.atSeconds, self.semitones) = (atSeconds, semitones)
  }
}

/// Bends in order of time.
extension [PitchBend] {
  /// Returns the bend at a time; 0 before the first.
  func semitones(atSeconds time: Double) -> Double {
    let index = firstIndex(after: time)
    return index > 0 ? self[index - 1].semitones : 0
  }

  /// Returns true if the pitch jumps by 40 cents or more within `seconds` of a time. The start of a
  /// bent note counts as a jump too; the target changes there anyway.
  func leap(within seconds: Double, of time: Double) -> Bool {
    var index = firstIndex(after: time - seconds)
    while index < count, self[index].atSeconds <= time + seconds {
      let before = index > 0 ? self[index - 1].semitones : 0
      if abs(self[index].semitones - before) >= 0.4 { return true }
      index += 1
    }
    return false
  }

  private func firstIndex(after time: Double) -> Int {
    partitioningIndex { $0.atSeconds > time }
  }
}
