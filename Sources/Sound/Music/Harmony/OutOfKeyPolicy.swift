/// The note of a voice on a degree of a key while the lead's note is outside the key.
public enum OutOfKeyPolicy: String, Codable, CaseIterable, Sendable {
  /// The degree above the nearest tone of the key, halfway the lower: the choir stays in the key.
  case nearestTone
  /// The degree above the next tone of the key down.
  case lowerTone
  /// The degree above the next tone of the key up.
  case upperTone
  /// The interval that the degree has above the nearest tone: the choir leaves the key with the
  /// lead.
  case parallel
  /// Silence.
  case silent
}

extension ToneSet {
  /// Returns the distance of a degree of this key above the lead's note; `nil` for silence.
  ///
  /// - Parameter degree: 3 is a third above, -3 a third below, 1 the tone itself; not 0.
  @_noLocks public func intervalSemitones(
    ofDegree degree: Int, above note: Int, outOfKey policy: OutOfKeyPolicy
  ) -> Int? {
    let steps = degree > 0 ? degree - 1 : degree + 1
    if contains(note) { return tone(after: note, steps: steps).map { $0 - note } }
    let base: Int? =
      switch policy {
      case .nearestTone, .parallel: tone(nearest: Double(note))
      case .lowerTone: tone(atOrBelow: note)
      case .upperTone: tone(atOrAbove: note)
      case .silent: nil
      }
    guard let base, let target = tone(after: base, steps: steps) else { return nil }
    return target - (policy == .parallel ? base : note)
  }
}
