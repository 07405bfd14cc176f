import DSP
import Foundation
import Music

/// Names the chord that sounds now, of sound that comes in pieces.
///
/// Ten times a second the last `memoryFrames` are recognized anew. A chord counts once two answers in a
/// row agree on it, so it comes about 0.7 s after its start; one that shares most tones with the chord
/// before, such as Dm7 after F, may take 2 s. Another bass is no other chord.
///
/// - Cost: about that of `ChordRecognizer`. Allocates.
public struct LiveChordRecognizer {
  /// A chord that begins, or silence.
  public struct Change: Equatable, Sendable {
    public var startSeconds: Double
    /// Time at which it is known.
    public var knownSeconds: Double
    public var chord: Chord?
  }

  private static let hopSeconds = ChordRecognizer.hopSeconds
  /// A little more than a frame of the spectrum, 0.37 s.
  private static let windowSeconds = 0.4
  /// Frames in which a change is sought: long enough to tell a chord by its middle.
  private static let memoryFrames = 20
  /// Frames of a chord before it is named; fewer hold its neighbours too.
  private static let minFrames = 4
  /// Answers that agree before a chord is named, or named otherwise though the sound goes on: the name of
  /// one chord wavers for up to 0.4 s while its attack decays.
  private static let (naming, renaming) = (2, 5)
  /// Amplitude of what counts as silence, -60 dBFS: above the noise of an open input.
  private static let silence: Float = 0.001

  private let recognizer = ChordRecognizer()
  private let sampleRateHz: Double
  private var window: [Float] = []
  private var frames: [ChordRecognizer.Frame] = []
  private var received = 0
  /// The last answer, and how many agree on it.
  private var candidate: Chord?
  private var agreeing = 0
  private var current: Chord?
  private var runStart = 0.0

  public init(sampleRateHz: Double) { self.sampleRateHz = sampleRateHz }

  /// Takes the next samples and returns the chords that are known by them.
  public mutating func receive(_ samples: [Float]) -> [Change] {
    let hop = Int(Self.hopSeconds * sampleRateHz)
    var (changes, rest) = ([Change](), samples[...])
    while !rest.isEmpty {
      let part = rest.prefix(hop - received % hop)
      rest = rest.dropFirst(part.count)
      window += part
      received += part.count
      window.removeFirst(max(0, window.count - Int(Self.windowSeconds * sampleRateHz)))
      if received % hop == 0, let change = recognize(hop) { changes.append(change) }
    }
    return changes
  }

  private mutating func recognize(_ hop: Int) -> Change? {
    let now = Double(received) / sampleRateHz
    var (chord, start, goesOn) = (Chord?.none, now - 2 * Self.hopSeconds, false)
    if window.suffix(hop).allSatisfy({ $0.magnitude < Self.silence }) {
      frames = []
    } else if let frame = recognizer.frame(
      inMiddleOf: Signal(window, sampleRateHz: sampleRateHz))
    {
      frames = frames.suffix(Self.memoryFrames - 1) + [frame]
      let last = recognizer.chords(of: frames).last
      guard let last, last.frames.count >= Self.minFrames else { return nil }
      chord = last.chord
      // A frame is as late as its middle, and begins half a hop before.
      start = now - (Double(last.frames.count) - 0.5) * Self.hopSeconds - Self.windowSeconds / 2
      goesOn =
        current != nil
        && (last.frames.lowerBound == 0 || abs(start - runStart) < 1.5 * Self.hopSeconds)
    }
    agreeing = Self.areEqual(chord, candidate) ? agreeing + 1 : 1
    candidate = chord
    guard agreeing >= (goesOn ? Self.renaming : Self.naming), !Self.areEqual(chord, current)
    else { return nil }
    // Without a change in the sound, the chord is as old as its name.
    if goesOn { start = now - Double(agreeing) * Self.hopSeconds - Self.windowSeconds }
    (current, runStart) = (chord, start)
    return Change(startSeconds: max(0, start), knownSeconds: now, chord: chord)
  }

  private static func areEqual(_ a: Chord?, _ b: Chord?) -> Bool {
    a?.root == b?.root && a?.formula == b?.formula
  }
}
