import Music

/// The note that a voice is on, held against flutter and against the notes it only passes.
///
/// It leaves a note for another when it has gone the hysteresis beyond the middle between the two,
/// so that a vibrato across that middle changes nothing. But a note that it came to from another
/// less than 60 ms ago may be one that it passes on its way, in a glide or a run. That one it leaves
/// at the middle already, or a little beyond, unless back to where it came from. Otherwise a voice
/// that stops a little short of its goal would be taken for the last note it passed, for as long as
/// it stays.
///
/// A voice that has been nearer to one other note than to its own for 120 ms more than it has not means
/// that note, however near the middle it sings. The swing of a vibrato to one side is shorter: 111 ms
/// at 4.5 Hz.
struct NoteHold: Equatable, Sendable, BitwiseCopyable {
  /// `nil` before the first, and after `reset`.
  private(set) var key: Int?
  /// Steps on the note, in whole numbers, so that it does not matter in which portions they come.
  private var heldSteps = 0
  /// The note before, without a pause between.
  private var cameFrom: Int?
  /// Another note that the voice has been nearest to, and for how many steps more than it has not.
  private var rival: Int?
  private var rivalSteps = 0

  private let msPerStep: Double
  /// Distance beyond the middle at which a note is left that may only be passed, in semitones.
  private let passingHysteresis: Double

  /// A note younger than this may be one that is only passed.
  private static var passingMs: Double { @_noLocks get { 60 } }
  /// Nearer to another note for so much longer than not, the voice means it.
  private static var clearMs: Double { @_noLocks get { 120 } }

  @_noLocks init(msPerStep: Double, passingHysteresis: Double = 0) {
    (self.msPerStep, self.passingHysteresis) = (msPerStep, passingHysteresis)
  }

  /// Time on the note.
  var heldMs: Double { @_noLocks get { Double(heldSteps) * msPerStep } }

  /// True if the voice leaves its note.
  ///
  /// - Parameters:
  ///   - nearest: the note that its pitch is nearest to.
  ///   - gained: by how much nearer, in semitones, than to the note it is on: twice as far as it is
  ///     beyond the middle between them.
  ///   - hysteresis: in semitones beyond the middle; not negative.
  @_noLocks func leaves(for nearest: Int, gained: Double, hysteresis: Double) -> Bool {
    var isPassing = false
    if let cameFrom { isPassing = heldMs < Self.passingMs && nearest != cameFrom }
    let isClear = nearest == rival && Double(rivalSteps) * msPerStep >= Self.clearMs
    guard !isClear else { return gained > 0 }
    return gained > 2 * (isPassing ? min(passingHysteresis, hysteresis) : hysteresis)
  }

  /// Changes to a note.
  @_noLocks mutating func change(to note: Int) {
    (cameFrom, key, heldSteps) = (key, note, 0)
    (rival, rivalSteps) = (nil, 0)
  }

  /// Stays on its note for so long.
  @_noLocks mutating func stay(steps: Int) { heldSteps += steps }

  /// Stays on its note for so long with a pitch nearest to that or another.
  @_noLocks mutating func stay(steps: Int, nearest: Int) {
    stay(steps: steps)
    if rival == nil, nearest != key { rival = nearest }
    rivalSteps += nearest == rival ? steps : -steps
    if rivalSteps <= 0 { (rival, rivalSteps) = (nil, 0) }
  }

  @_noLocks mutating func reset() {
    (key, cameFrom, heldSteps) = (nil, nil, 0)
    (rival, rivalSteps) = (nil, 0)
  }
}

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
    defer { hold.stay(steps: steps, nearest: nearest) }
    guard let now = key, tones.contains(now) else {
      hold.change(to: nearest)
      return
    }
    let gained = abs(pitch - Double(now)) - abs(pitch - Double(nearest))
    if hold.leaves(for: nearest, gained: gained, hysteresis: hysteresisSemitones) {
      hold.change(to: nearest)
    }
  }

  @_noLocks public mutating func reset() { hold.reset() }
}
