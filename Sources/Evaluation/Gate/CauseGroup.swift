import Subjects

/// Regressions that one change explains.
public struct CauseGroup: Codable, Equatable, Sendable {
  public var cause: ChangeCause
  /// Voices with direct evidence; without any, those in which the cause explains a regression.
  public var voices: [String]
  /// The figure that measures the change most directly.
  public var head: FigureKey
  /// All other figures that it explains.
  public var folded: [FigureKey]

  /// Text such as `pitch of voice +4` or `voice +4 is missing`.
  public var title: String {
    if cause == .missingVoice, !voices.isEmpty {
      return Score.words(forVoices: voices) + (voices.count == 1 ? " is missing" : " are missing")
    }
    if cause == .swappedVoices, !voices.isEmpty {
      return "\(cause.rawValue) \(voices.joined(separator: ", "))"
    }
    return cause.rawValue + (voices.isEmpty ? "" : " of " + Score.words(forVoices: voices))
  }

  /// Groups regressions by the changes that explain them.
  ///
  /// Each voice is explained by the first cause with strong evidence in that voice, and the rest of
  /// its figures by the next; figures of the whole output belong to the first cause that explains
  /// them, or to a cause of their own. What strong evidence leaves is explained by weak evidence.
  static func all(of regressions: [MetricDifference]) -> [CauseGroup] {
    var (whole, byVoice) = (
      regressions.filter { $0.voice == nil },
      Dictionary(grouping: regressions.filter { $0.voice != nil }) { $0.voice! }
    )
    var found: [FoundCause] = []
    for isStrong in [true, false] {
      // By name, so that equal regressions always give equal groups.
      for voice in byVoice.keys.sorted() {
        attach(&byVoice[voice]!, to: &found) { $0.isOfWhole }
        explain(&byVoice[voice]!, isStrong: isStrong, &found)
      }
      attach(&whole, to: &found) { _ in true }
      explain(&whole, isStrong: isStrong, &found)
    }
    return found.sorted { $0.head.order < $1.head.order }.map(\.group)
  }

  /// Adds each figure to the first cause that explains it.
  private static func attach(
    _ figures: inout [MetricDifference], to found: inout [FoundCause],
    where isWanted: (FoundCause) -> Bool
  ) {
    for place in found.indices where found[place].cause != .other && isWanted(found[place]) {
      let cause = found[place].cause
      found[place].figures += figures.filter { cause.explains($0.metric) }
      figures.removeAll { cause.explains($0.metric) }
    }
  }

  /// Finds causes by their evidence in the figures, and removes what they explain.
  private static func explain(
    _ figures: inout [MetricDifference], isStrong: Bool, _ found: inout [FoundCause]
  ) {
    let all = figures
    for (rank, evidence) in CauseEvidence.ordered.enumerated() {
      let direct = figures.filter {
        evidence.isShown(by: $0, among: all, isStrong: isStrong)
      }
      guard !direct.isEmpty else { continue }
      let cause = evidence.cause
      let place =
        found.firstIndex { $0.cause == cause }
        ?? {
          found.append(FoundCause(cause: cause))
          return found.count - 1
        }()
      for figure in direct {
        found[place].direct.append(
          .init(
            figure: figure, isWeak: !isStrong, rank: rank,
            place: evidence.place(of: figure.metric)!))
      }
      found[place].figures += figures.filter { cause.explains($0.metric) }
      figures.removeAll { cause.explains($0.metric) }
    }
  }
}

/// A cause with its evidence and all that it explains.
private struct FoundCause {
  /// A regression that shows the cause directly, with the places of its evidence and its metric.
  struct Direct {
    let figure: MetricDifference
    let isWeak: Bool
    let rank: Int
    let place: Int

    /// Strong evidence comes before weak, the most direct first.
    var order: (Int, Int, Int) { (isWeak ? 1 : 0, rank, place) }
  }

  let cause: ChangeCause
  var direct: [Direct] = []
  var figures: [MetricDifference] = []

  init(cause: ChangeCause) { self.cause = cause }

  /// True if only figures of the whole output show the cause.
  var isOfWhole: Bool { direct.allSatisfy { $0.figure.voice == nil } }

  /// The most direct evidence, of several the largest.
  var head: Direct {
    direct.min { a, b in
      a.order == b.order
        ? (b.figure.size, a.figure.key) < (a.figure.size, b.figure.key) : a.order < b.order
    }!
  }

  var group: CauseGroup {
    let head = head.figure
    let shown = direct.compactMap(\.figure.voice)
    return CauseGroup(
      cause: cause, voices: Set(shown.isEmpty ? figures.compactMap(\.voice) : shown).sorted(),
      head: head.key, folded: figures.map(\.key).filter { $0 != head.key })
  }
}
