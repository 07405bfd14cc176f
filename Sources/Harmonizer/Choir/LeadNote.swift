/// The note that the lead is on, held against flutter.
///
/// It leaves a note for another when it has gone the hysteresis beyond the middle between the two,
/// so that a vibrato across that middle changes nothing. Without a pitch it stays where it was.
public struct LeadNote: Equatable, Sendable, BitwiseCopyable {
  /// `nil` until there was a pitch.
  public private(set) var key: Int?
  private let hysteresisSemitones: Double

  /// - Parameter hysteresisCents: beyond the middle; not negative.
  @_noLocks public init(hysteresisCents: Double) { hysteresisSemitones = hysteresisCents / 100 }

  /// Goes on to a pitch.
  ///
  /// - Parameters:
  ///   - pitch: as a fractional key number; finite, or `nil` where the lead has none.
  ///   - tones: the pitch classes that it may be on.
  @_noLocks public mutating func next(_ pitch: Double?, in tones: ToneSet) {
    guard let pitch, let nearest = tones.tone(nearest: pitch) else { return }
    guard let now = key, tones.contains(now) else {
      key = nearest
      return
    }
    // Beyond the middle by x, the new note is nearer than the old by 2x.
    let gained = abs(pitch - Double(now)) - abs(pitch - Double(nearest))
    if nearest != now, gained > 2 * hysteresisSemitones { key = nearest }
  }

  @_noLocks public mutating func reset() { key = nil }
}
