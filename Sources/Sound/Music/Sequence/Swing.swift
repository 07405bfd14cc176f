/// A delay of every second note: stretches the first half of each pair of notes and compresses the
/// second.
///
/// All times in between move in proportion, ends of notes included, so the order never changes.
public struct Swing: Codable, Equatable, Sendable {
  /// Length of a note of a pair: 0.5 are eighths, 0.25 sixteenths.
  public var unitBeats: Double
  /// Share of a pair that its first note takes: 0.5 is straight, 2/3 triplets.
  public var share: Double

  public init(unitBeats: Double = 0.5, share: Double) {
    (self.unitBeats, self.share) = (unitBeats, share)
  }

  public func validate() throws(SequenceError) {
    try allow("swing.unitBeats", unitBeats, in: 1.0 / 16...4)
    try allow("swing.share", share, in: 0.5...0.9)
  }

  /// Returns the swung time of a straight one.
  public func beats(_ straight: Double) -> Double {
    let pair = (straight / (2 * unitBeats)).rounded(.down) * 2 * unitBeats
    let place = (straight - pair) / unitBeats  // 0 to 2
    let played = place < 1 ? place * share : share + (place - 1) * (1 - share)
    return pair + played * 2 * unitBeats
  }
}
