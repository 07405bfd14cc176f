import Foundation

/// A sequential test of whether a value is that of the good or of the bad side.
///
/// Each observation adds its log-likelihood ratio, with normal deviations around the two known
/// values (A. Wald, Sequential Analysis, 1947). The test ends as soon as one side is 1000 times as
/// likely as the other, so an error happens once in 1000 decisions.
struct SequentialTest {
  enum Verdict: Equatable { case good, bad }

  /// Share of the step from good to bad that other commits may have moved the value by, as a
  /// standard deviation: harmless changes move figures too.
  static let driftShare = 0.15
  static let threshold = log(1000.0)

  private(set) var logRatio = 0.0
  /// Number of observations that told anything.
  private(set) var count = 0

  /// - Parameters:
  ///   - value: an observation.
  ///   - good: mean of the good side; `bad` that of the bad one.
  ///   - deviation: standard deviation between equal runs; 0 for a deterministic subject.
  mutating func note(_ value: Double, good: Double, bad: Double, deviation: Double) {
    let step = bad - good
    guard step != 0, value.isFinite else { return }
    let spread = max(deviation, Self.driftShare * abs(step))
    // Beyond either value nothing more is learned: a double step is no stronger evidence.
    let place = min(max((value - good) / step, 0), 1)
    count += 1
    logRatio += step * step * (place - 0.5) / (spread * spread)
  }

  /// The verdict; `nil` if more observations are needed.
  var verdict: Verdict? {
    abs(logRatio) >= Self.threshold ? likelier : nil
  }

  /// The likelier side; it counts when there is nothing more to observe.
  var likelier: Verdict { logRatio > 0 ? .bad : .good }
}
