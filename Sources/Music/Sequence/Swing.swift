/// Plays every second note of a kind late: time is stretched in the first half of each pair and
/// pressed together in the second.
///
/// Whatever lies between the two moves in proportion, ends of notes too, so that nothing changes its
/// order.
public struct Swing: Codable, Equatable, Sendable {
  /// Of the notes that come in pairs, in beats: 0.5 are eighths, 0.25 sixteenths.
  public var unitBeats: Double
  /// Of a pair, what the first takes: 0.5 is straight, 2/3 the triplets of jazz.
  public var share: Double

  public init(unitBeats: Double = 0.5, share: Double) {
    (self.unitBeats, self.share) = (unitBeats, share)
  }

  public func validate() throws(SequenceError) {
    try allow("swing.unitBeats", unitBeats, in: 1.0 / 16...4)
    try allow("swing.share", share, in: 0.5...0.9)
  }

  /// Where a place in straight time is played.
  public func beats(_ straight: Double) -> Double {
    let pair = (straight / (2 * unitBeats)).rounded(.down) * 2 * unitBeats
    let place = (straight - pair) / unitBeats  // 0 to 2
    let played = place < 1 ? place * share : share + (place - 1) * (1 - share)
    return pair + played * 2 * unitBeats
  }
}
