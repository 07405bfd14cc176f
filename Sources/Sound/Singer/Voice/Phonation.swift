/// The operation of the vocal folds: pulse shape, breath noise, irregularities.
public struct Phonation: Codable, Equatable, Sendable {
  /// Shape of the glottal pulse at mezzo forte: 0.3 is pressed and bright, 1 modal, 2.7 lax and
  /// dull.
  ///
  /// - Source: Fant, "The LF-model revisited", STL-QPSR 36(2-3), 1995.
  public var pulseShape = 1.0
  /// Turbulence at full glottal opening, relative to the pulse's peak; none at -100 and below.
  public var aspirationDb = -26.0
  /// Mean difference of neighbouring periods relative to the period (Praat's "local").
  public var jitterPercent = 0.3
  /// Mean difference of neighbouring amplitudes relative to the amplitude.
  public var shimmerPercent = 1.5
  /// Maximum of the slow pitch variation, to either side.
  public var flutterCents = 6.0
  /// True if the folds stay open, so that turbulence replaces all voicing.
  public var isWhispered = false

  public init(
    pulseShape: Double = 1, aspirationDb: Double = -26, jitterPercent: Double = 0.3,
    shimmerPercent: Double = 1.5, flutterCents: Double = 6
  ) {
    self.pulseShape = pulseShape
    self.aspirationDb = aspirationDb
    self.jitterPercent = jitterPercent
    self.shimmerPercent = shimmerPercent
    self.flutterCents = flutterCents
  }

  /// A perfectly periodic source without noise.
  public static func ideal(pulseShape: Double = 1) -> Phonation {
    Phonation(
      pulseShape: pulseShape, aspirationDb: -200, jitterPercent: 0, shimmerPercent: 0,
      flutterCents: 0)
  }

  /// This phonation, as steady as a trained singer holds a note.
  public var steady: Phonation {
    var copy = self
    copy.jitterPercent = min(jitterPercent, 0.1)
    copy.flutterCents = min(flutterCents, 3)
    return copy
  }

  /// Returns this phonation with its jitter and shimmer multiplied.
  public func withIrregularity(times factor: Double) -> Phonation {
    var copy = self
    copy.jitterPercent *= factor
    copy.shimmerPercent *= factor
    return copy
  }

  /// This phonation without voicing.
  public var whispered: Phonation {
    var copy = self
    copy.isWhispered = true
    return copy
  }

  func validate() throws(SingerError) {
    try require("pulseShape", pulseShape, in: 0.3...2.7)
    try require("aspirationDb", aspirationDb, in: -200...0)
    try require("jitterPercent", jitterPercent, in: 0...10)
    try require("shimmerPercent", shimmerPercent, in: 0...30)
    try require("flutterCents", flutterCents, in: 0...100)
  }
}
