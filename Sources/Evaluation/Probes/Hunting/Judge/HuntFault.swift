/// A fault in one rendering, on which two judges agree and which the ideal rendering lacks.
public struct HuntFault: Equatable, Sendable {
  public var kind: FaultKind
  /// Index of the voice; `nil` for the whole sound.
  public var voice: Int?
  public var atSeconds: Double
  /// Size in the unit of the kind.
  public var amount: Double
  /// The fault as one hears it, in words.
  public var words: String
  /// Agreement of the second judge, from 0 to 1.
  public var confidence: Double

  /// Size in thresholds of hearing.
  public var severity: Double { amount / kind.threshold }
}
