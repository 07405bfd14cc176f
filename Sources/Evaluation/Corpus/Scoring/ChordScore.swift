/// Chords against the truth, by the measures of mir_eval.chord with their names.
///
/// Each measure is the share of the time in which the chords are equal as far as it looks. Time whose true
/// chord it can't judge does not count.
///
/// - Source: Pauwels and Peeters, "Evaluating automatically estimated chord sequences", ICASSP 2013; Harte,
///   "Towards automatic extraction of harmony information from music signals", 2010; mir_eval 0.8.2,
///   chord.evaluate.
public struct ChordScore: Sendable {
  /// The measures with the names of mir_eval.
  public let named: [(name: String, value: Double)]

  /// - Precondition: every label is that of a chord, as `ScoredFile` sees to.
  /// - Parameters:
  ///   - estimate: cut or filled up with `N` to the time of the reference.
  ///   - reference: at least one chord.
  public init(of estimate: [LabelledSpan], against reference: [LabelledSpan]) {
    let start = reference.map(\.onsetSeconds).min()!
    let end = reference.map(\.offsetSeconds).max()!
    let found = estimate.adjusted(to: start...end)
    let times = Set((reference + found).flatMap { [$0.onsetSeconds, $0.offsetSeconds] }).sorted()
    var pieces: [(wanted: ChordLabel, found: ChordLabel, seconds: Double)] = []
    for (time, next) in zip(times, times.dropFirst()) {
      pieces.append((reference.label(at: time), found.label(at: time), next - time))
    }
    /// Returns a share of time.
    ///
    /// - Parameter fits: `nil` if the true chord can't be judged.
    func share(_ name: String, _ fits: (ChordLabel, ChordLabel) -> Bool?) -> (String, Double) {
      let judged = pieces.compactMap { piece in
        fits(piece.wanted, piece.found).map { (isRight: $0, seconds: piece.seconds) }
      }
      let all = judged.reduce(0) { $0 + $1.seconds }
      return (name, all > 0 ? judged.reduce(0) { $0 + ($1.isRight ? $1.seconds : 0) } / all : 0)
    }
    /// Returns the share with equal roots and tones, and that with equal basses too.
    ///
    /// - Parameter tones: the tones that count.
    func equal(
      _ name: String, _ tones: Range<Int> = 0..<12,
      judging canJudge: (ChordLabel) -> Bool = { !$0.isUnknown }
    ) -> [(String, Double)] {
      func part(_ chord: ChordLabel) -> ArraySlice<Int> { chord.tones[tones] }
      return [
        share(name) { canJudge($0) ? $0.root == $1.root && part($0) == part($1) : nil },
        share("\(name)_inv") {
          canJudge($0) ? $0.root == $1.root && $0.bass == $1.bass && part($0) == part($1) : nil
        },
      ]
    }
    let triads = [ChordLabel("C")!, ChordLabel("C:min")!].map { $0.tones[..<8] }
    let sevenths = ["C", "C:min", "C:maj7", "C:7", "C:min7", "N"].map { ChordLabel($0)!.tones }
    let merged = (reference.merged(), found.merged())
    let over = 1 - Self.distance(of: merged.0, from: merged.1)
    let under = 1 - Self.distance(of: merged.1, from: merged.0)
    named =
      equal("thirds", 3..<4) + equal("triads", 0..<8) + equal("tetrads")
      + [
        share("root") { $0.isUnknown ? nil : $0.root == $1.root },
        share("mirex") { wanted, found in
          if wanted.isUnknown || 1...2 ~= wanted.tones.count(where: { $0 > 0 }) { return nil }
          if wanted.root < 0, found.root < 0 { return true }
          return wanted.pitchClasses.intersection(found.pitchClasses).count >= 3
        },
      ] + equal("majmin", 0..<8) { $0.isNone || triads.contains($0.tones[..<8]) }
      + equal("sevenths") { sevenths.contains($0.tones) }
      + [("underseg", under), ("overseg", over), ("seg", min(over, under))]
  }

  /// Share of the time that lies outside of the longest stretch of each span that no boundary of the others
  /// divides: the directional Hamming distance.
  private static func distance(
    of spans: [ClosedRange<Double>], from others: [ClosedRange<Double>]
  ) -> Double {
    let boundaries = Set(others.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    let divided = spans.reduce(0.0) { sum, span in
      let inside = boundaries.filter { $0 >= span.lowerBound && $0 < span.upperBound }
      let times = [span.lowerBound] + inside + [span.upperBound]
      let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max()!
      return sum + (span.upperBound - span.lowerBound - longest)
    }
    return divided / (spans.last!.upperBound - spans.first!.lowerBound)
  }
}

extension [LabelledSpan] {
  /// Returns the spans within a time; `N` fills it up at both ends.
  fileprivate func adjusted(to time: ClosedRange<Double>) -> [LabelledSpan] {
    var spans = filter { $0.offsetSeconds > time.lowerBound && $0.onsetSeconds < time.upperBound }
      .map { span in
        LabelledSpan(
          onsetSeconds: Swift.max(span.onsetSeconds, time.lowerBound),
          offsetSeconds: Swift.min(span.offsetSeconds, time.upperBound), label: span.label)
      }
    func none(_ from: Double, _ to: Double) -> LabelledSpan {
      LabelledSpan(onsetSeconds: from, offsetSeconds: to, label: "N")
    }
    guard let first = spans.first, let last = spans.last else {
      return [none(time.lowerBound, time.upperBound)]
    }
    if first.onsetSeconds > time.lowerBound {
      spans.insert(none(time.lowerBound, first.onsetSeconds), at: 0)
    }
    if last.offsetSeconds < time.upperBound {
      spans.append(none(last.offsetSeconds, time.upperBound))
    }
    return spans
  }

  fileprivate func label(at time: Double) -> ChordLabel {
    ChordLabel(last { $0.onsetSeconds <= time }!.label)!
  }

  /// Returns the spans of the chords, with equal neighbours as one.
  fileprivate func merged() -> [ClosedRange<Double>] {
    var spans: [(chord: ChordLabel, span: ClosedRange<Double>)] = []
    for one in self {
      let chord = ChordLabel(one.label, reducing: true)!
      if let last = spans.last, last.chord == chord {
        spans[spans.count - 1].span = last.span.lowerBound...one.offsetSeconds
      } else {
        spans.append((chord, one.onsetSeconds...one.offsetSeconds))
      }
    }
    return spans.map(\.span)
  }
}
