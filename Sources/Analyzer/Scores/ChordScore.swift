/// The accuracy of estimated chords over time, exactly as mir_eval 0.8 computes it.
///
/// The estimate is cut to the reference's time and filled with `N` where it is missing. In a gap of
/// either, the chord before the gap continues.
///
/// - Cost: the product of the two numbers of spans. Allocates.
/// - Source: Harte, "Towards automatic extraction of harmony information from music signals", 2010,
///   chapter 8; Raffel et al., "mir_eval", ISMIR 2014.
public struct ChordScore: Equatable, Sendable {
  /// Share of comparable time in which the chords agree, by rule. A rule is missing if it applies
  /// to none of the reference (mir_eval returns 0).
  public var accuracy: [ChordRule: Double] = [:]
  /// Score against splitting: 1 if the estimate splits no reference chord.
  public var overSegmentation: Double
  /// Score against merging: 1 if no two reference chords are estimated as one.
  public var underSegmentation: Double
  /// The smaller of the two scores.
  public var segmentation: Double { min(overSegmentation, underSegmentation) }

  /// A fault in a list of spans.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case empty
    case time(index: Int)

    public var description: String {
      switch self {
      case .empty: "the reference has no chords"
      case .time(let index):
        "span \(index) has a negative time, ends before it begins, or overlaps the one before"
      }
    }
  }

  public init(of estimate: [ChordSpan], against reference: [ChordSpan]) throws(Failure) {
    try Self.check(estimate)
    try Self.check(reference)
    guard let first = reference.first, let last = reference.last else { throw .empty }
    let found = Self.cut(estimate, from: first.startSeconds, to: last.endSeconds)
    var agreed: [ChordRule: Double] = [:]
    var comparable: [ChordRule: Double] = [:]
    for (start, end) in Self.pieces(reference, found) {
      let (truth, guess) = (Self.chord(reference, at: start), Self.chord(found, at: start))
      for rule in ChordRule.allCases {
        guard let agree = rule.agree(truth, guess) else { continue }
        comparable[rule, default: 0] += end - start
        agreed[rule, default: 0] += agree ? end - start : 0
      }
    }
    for (rule, seconds) in comparable { accuracy[rule] = agreed[rule]! / seconds }
    let (truth, guess) = (Self.merged(reference), Self.merged(found))
    overSegmentation = 1 - Self.splitShare(of: truth, by: guess)
    underSegmentation = 1 - Self.splitShare(of: guess, by: truth)
  }

  private static func check(_ spans: [ChordSpan]) throws(Failure) {
    for (index, span) in spans.enumerated() {
      guard span.startSeconds >= 0, span.endSeconds > span.startSeconds, span.endSeconds.isFinite,
        index == 0 || spans[index - 1].endSeconds <= span.startSeconds
      else { throw .time(index: index) }
    }
  }

  /// The spans within a stretch of time, filled with `N` at its ends.
  private static func cut(_ spans: [ChordSpan], from start: Double, to end: Double) -> [ChordSpan] {
    var cut = spans.compactMap { span -> ChordSpan? in
      let (from, to) = (max(span.startSeconds, start), min(span.endSeconds, end))
      return from < to ? ChordSpan(startSeconds: from, endSeconds: to, chord: span.chord) : nil
    }
    let begin = cut.first?.startSeconds ?? end
    if begin > start {
      cut.insert(ChordSpan(startSeconds: start, endSeconds: begin, chord: .noChord), at: 0)
    }
    if let last = cut.last?.endSeconds, last < end {
      cut.append(ChordSpan(startSeconds: last, endSeconds: end, chord: .noChord))
    }
    return cut
  }

  /// The intervals between neighbouring bounds of either list.
  private static func pieces(_ a: [ChordSpan], _ b: [ChordSpan]) -> [(Double, Double)] {
    let bounds = Set((a + b).flatMap { [$0.startSeconds, $0.endSeconds] }).sorted()
    return Array(zip(bounds, bounds.dropFirst()))
  }

  private static func chord(_ spans: [ChordSpan], at seconds: Double) -> ChordLabel {
    spans.last { $0.startSeconds <= seconds }!.chord
  }

  /// The spans with neighbours that sound the same joined.
  private static func merged(_ spans: [ChordSpan]) -> [ChordSpan] {
    spans.reduce(into: []) { merged, span in
      if let last = merged.last, last.chord.soundsLike(span.chord) {
        merged[merged.count - 1].endSeconds = span.endSeconds
      } else {
        merged.append(span)
      }
    }
  }

  /// The share of time outside the longest unbroken interval of each span: the directional Hamming
  /// distance.
  private static func splitShare(of spans: [ChordSpan], by others: [ChordSpan]) -> Double {
    let bounds = Set(others.flatMap { [$0.startSeconds, $0.endSeconds] }).sorted()
    let split = spans.reduce(0.0) { sum, span in
      let cuts = bounds.filter { $0 >= span.startSeconds && $0 < span.endSeconds }
      let edges = [span.startSeconds] + cuts + [span.endSeconds]
      return sum + span.durationSeconds - zip(edges, edges.dropFirst()).map { $1 - $0 }.max()!
    }
    return split / (spans.last!.endSeconds - spans[0].startSeconds)
  }
}

extension ChordLabel {
  /// True if root, tones (ninths and beyond included) and bass are equal.
  fileprivate func soundsLike(_ other: ChordLabel) -> Bool {
    root == other.root && allIntervals == other.allIntervals && bassInterval == other.bassInterval
  }
}
