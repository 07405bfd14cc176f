import Metrics

extension CostComparison {
  /// The comparison for a terminal.
  package var text: String {
    let trials = confirmed ? ", confirmed by a second trial" : ""
    let source =
      "\(format(interval.lowerBound, 3)) to \(format(interval.upperBound, 3)) "
      + "with \(format(confidence * 100, 0)) % confidence, \(rounds) rounds"
    return """
      \(verdict.rawValue)\(trials): the candidate costs \(format(ratio, 3)) times the \
      baseline (\(source))
      minimum effect \(format(minimumEffect * 100, 1)) %, \
      detectable +\(detectablePercent) % (in 95 of 100 comparisons)
      """
  }
}
