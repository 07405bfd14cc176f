/// A chord with its start and end.
public struct ChordSpan: Codable, Equatable, Sendable {
  public var startSeconds: Double
  public var endSeconds: Double
  public var chord: ChordLabel

  public init(startSeconds: Double, endSeconds: Double, chord: ChordLabel) {
    (self.startSeconds, self.endSeconds) = (startSeconds, endSeconds)
    self.chord = chord
  }

  public var durationSeconds: Double { endSeconds - startSeconds }
}
