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
  /// The seconds between which it is heard; `nil` for a fault of an instant or of the whole sound.
  public var stretch: ClosedRange<Double>?

  /// Size in thresholds of hearing.
  public var severity: Double { amount / kind.threshold }
}

/// The faults of one rendering.
public struct Judgement: Sendable {
  public let point: HuntPoint
  /// Duration of the sound; 0 if nobody can sing it.
  public let seconds: Double
  /// Faults beyond the threshold of hearing, confirmed by a second judge.
  public let faults: [HuntFault]
  /// Smaller deviations, which lead the search.
  let hints: [HuntFault]
  /// The failure of a rendering that a second one did not repeat; `nil` for none.
  var lapse: String?

  static func unsingable(_ point: HuntPoint) -> Judgement {
    Judgement(point: point, seconds: 0, faults: [], hints: [])
  }

  /// The worst confirmed fault of a kind.
  public func fault(_ kind: FaultKind) -> HuntFault? {
    faults.filter { $0.kind == kind }.max { $0.severity < $1.severity }
  }

  /// The severity of a kind, whether heard or not.
  func severity(_ kind: FaultKind) -> Double {
    (faults + hints).filter { $0.kind == kind }.map(\.severity).max() ?? 0
  }
}
