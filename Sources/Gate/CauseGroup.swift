/// Regressions that one change explains.
public struct CauseGroup: Codable, Equatable, Sendable {
  public var cause: ChangeCause
  /// Voices with direct evidence; empty for the whole output.
  public var voices: [String]
  /// The figure that measures the change most directly.
  public var head: FigureKey
  /// All other figures that it explains.
  public var folded: [FigureKey]

  /// Text such as `pitch of voice +4`.
  public var title: String {
    switch voices.count {
    case 0: cause.rawValue
    case 1: "\(cause.rawValue) of voice \(voices[0])"
    default: "\(cause.rawValue) of voices \(voices.joined(separator: ", "))"
    }
  }

  /// Groups regressions by the changes that explain them.
  ///
  /// Each voice is explained by the first cause with direct evidence in that voice, and the rest of
  /// its figures by the next. Figures of the whole output belong to the first group that explains
  /// them.
  static func all(of regressions: [MetricDifference]) -> [CauseGroup] {
    let byVoice = Dictionary(grouping: regressions.filter { $0.voice != nil }) { $0.voice! }
    var found: [ChangeCause: [MetricDifference]] = [:]
    for figures in byVoice.values { explain(figures, &found) }
    var whole = regressions.filter { $0.voice == nil }
    for cause in ChangeCause.allCases where found[cause] != nil && cause != .other {
      found[cause]! += whole.filter { cause.explains($0.metric) }
      whole.removeAll { cause.explains($0.metric) }
    }
    explain(whole, &found)
    return ChangeCause.allCases.compactMap { cause in found[cause].map { group(cause, $0) } }
  }

  /// Adds each figure to its cause.
  private static func explain(
    _ figures: [MetricDifference], _ found: inout [ChangeCause: [MetricDifference]]
  ) {
    var left = figures
    for cause in ChangeCause.allCases where left.contains(where: { cause.isShown(by: $0) }) {
      found[cause, default: []] += left.filter { cause.explains($0.metric) }
      left.removeAll { cause.explains($0.metric) }
    }
  }

  private static func group(_ cause: ChangeCause, _ figures: [MetricDifference]) -> CauseGroup {
    let direct = figures.filter { cause.isShown(by: $0) }
    let head = direct.min { a, b in
      let (left, right) = (cause.directness(of: a.metric)!, cause.directness(of: b.metric)!)
      return (left, b.size, a.key) < (right, a.size, b.key)
    }!
    return CauseGroup(
      cause: cause, voices: Set(direct.compactMap(\.voice)).sorted(), head: head.key,
      folded: figures.map(\.key).filter { $0 != head.key })
  }
}

extension ChangeCause {
  /// Share of its frames that a voice must lack to be called missing; other faults cost it some.
  private static let leastMissing = 0.05

  /// Returns true if a regression is direct evidence of the cause.
  fileprivate func isShown(by figure: MetricDifference) -> Bool {
    guard directness(of: figure.metric) != nil else { return false }
    guard self == .missingVoice || self == .swappedVoices else { return true }
    return figure.worsening ?? 1 >= Self.leastMissing
  }
}

extension MetricDifference {
  /// Size of the change in minimum effects; a lost value is largest.
  fileprivate var size: Double { effects.map(abs) ?? .infinity }
}
