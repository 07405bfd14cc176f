import Music

/// The note that the lead is on, by the rule of `NoteHold`. Without a pitch it stays where it was.
public struct LeadNote: Equatable, Sendable, BitwiseCopyable {
  /// `nil` until there was a pitch.
  public var key: Int? { @_noLocks get { hold.key } }
  private var hold: NoteHold
  private let hysteresisSemitones: Double

  /// - Parameters:
  ///   - hysteresisCents: beyond the middle; not negative.
  ///   - msPerStep: in which time is counted.
  @_noLocks public init(hysteresisCents: Double, msPerStep: Double) {
    hysteresisSemitones = hysteresisCents / 100
    hold = NoteHold(msPerStep: msPerStep)
  }

  /// Goes on to a pitch.
  ///
  /// - Parameters:
  ///   - pitch: as a fractional key number; finite, or `nil` where the lead has none.
  ///   - tones: the pitch classes that it may be on.
  ///   - steps: how long the pitch lasts.
  @_noLocks public mutating func next(_ pitch: Double?, in tones: ToneSet, steps: Int) {
    guard let pitch, let nearest = tones.tone(nearest: pitch) else { return }
    defer { hold.stay(steps: steps) }
    guard let now = key, tones.contains(now) else {
      hold.take(nearest)
      return
    }
    let gained = abs(pitch - Double(now)) - abs(pitch - Double(nearest))
    if hold.leaves(for: nearest, gained: gained, hysteresis: hysteresisSemitones) {
      hold.take(nearest)
    }
  }

  @_noLocks public mutating func reset() { hold.reset() }
}
