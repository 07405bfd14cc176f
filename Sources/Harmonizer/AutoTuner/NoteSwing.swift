import DSP

/// How far a voice swings to either side of the middle of its note, in semitones.
///
/// A vibrato swings as far to one side as to the other, and grows from swing to swing. A voice that stays
/// much farther from the middle than it has swung to the other side goes to another note.
struct NoteSwing: Equatable, Sendable, BitwiseCopyable {
  private var below = 0.0
  private var above = 0.0
  private var awaySteps = 0

  private let msPerStep: Double
  /// Time before which the voice is still on its way to the note.
  private static var arrivalMs: Double { @_noLocks get { 120 } }
  /// Time after which it has been seen on both sides.
  private static var knownMs: Double { @_noLocks get { 240 } }
  /// Time away from the note that is no slip of the tracker's.
  private static var leavingMs: Double { @_noLocks get { 15 } }

  /// Distance that counts in no voice, in semitones, and how much farther a vibrato may swing than it did to the
  /// other side. With both 20 % larger or smaller, nine of ten notes settle in 19 or 17 ms instead of 18
  /// (`legato` of scripts/peers/autotune.py).
  private static var tolerance: Double { @_noLocks get { 0.3 } }
  private static var growth: Double { @_noLocks get { 1.5 } }

  @_noLocks init(msPerStep: Double) { self.msPerStep = msPerStep }

  /// Goes on by one step; returns true if the voice leaves its note, as no vibrato would.
  ///
  /// - Parameters:
  ///   - distance: above the middle of the note.
  ///   - heldMs: time on the note.
  @_noLocks mutating func next(_ distance: Double, heldMs: Double) -> Bool {
    guard heldMs > Self.arrivalMs else { return false }
    let limit = Self.tolerance + Self.growth * (distance > 0 ? below : above)
    awaySteps = heldMs >= Self.knownMs && abs(distance) > limit ? awaySteps + 1 : 0
    below = max(below, -distance)
    above = max(above, distance)
    return Double(awaySteps) * msPerStep > Self.leavingMs
  }

  /// Begins a note.
  @_noLocks mutating func reset() { self = NoteSwing(msPerStep: msPerStep) }
}
