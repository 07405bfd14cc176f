/// How much the period of a voice changes from one to the next, as shares of the mean period.
///
/// Periods count where they lie within `range`; where one is more than 1.3 times its neighbour, it is
/// taken for a mistake of the marks, and the run is parted there.
///
/// - Domain: steady voiced sound; vibrato and glides count as jitter, least of all in `ppq5`.
/// - Source: Baken and Orlikoff, "Clinical Measurement of Speech and Voice", 2000, chapter 6; names
///   and rules as in Praat and MDVP.
public struct Jitter: Codable, Equatable, Sendable {
  /// The mean distance between neighbouring periods; MDVP's Jitt. `nil` of fewer than two in a run.
  public let local: Double?
  /// The same in seconds; MDVP's Jita.
  public let localSeconds: Double?
  /// From the mean of the period and its two neighbours; `nil` of fewer than three.
  public let rap: Double?
  /// From the mean of the period and its four neighbours; `nil` of fewer than five.
  public let ppq5: Double?
  /// The mean distance between neighbouring differences, three times `rap`.
  public var ddp: Double? { rap.map { 3 * $0 } }

  public static let largestFactor = 1.3

  /// - Parameters:
  ///   - periods: in seconds; within a run without a gap.
  ///   - range: of periods that can be true, in seconds.
  public init(periods: [[Double]], range: ClosedRange<Double> = 0.0001...0.02) {
    let runs = periods.flatMap { Self.trusted($0, range) }
    let mean = Statistics.mean(runs.flatMap { $0 })
    func share(_ width: Int) -> Double? {
      guard let mean, let distance = Perturbation.meanDistance(runs, width: width) else {
        return nil
      }
      return distance / mean
    }
    localSeconds = Perturbation.meanStep(runs)
    local = localSeconds.flatMap { step in mean.map { step / $0 } }
    (rap, ppq5) = (share(3), share(5))
  }

  public init(of marks: PeriodMarks) { self.init(periods: marks.periods) }

  private static func trusted(_ run: [Double], _ range: ClosedRange<Double>) -> [[Double]] {
    var runs: [[Double]] = [[]]
    for period in run {
      guard range.contains(period) else {
        runs.append([])
        continue
      }
      if let before = runs[runs.count - 1].last,
        max(period / before, before / period) > largestFactor
      {
        runs.append([])
      }
      runs[runs.count - 1].append(period)
    }
    return runs.filter { !$0.isEmpty }
  }
}

/// What jitter and shimmer have in common: distances within runs of values.
enum Perturbation {
  /// Between neighbours; `nil` where no run has two.
  static func meanStep(_ runs: [[Double]]) -> Double? {
    Statistics.mean(runs.flatMap { run in zip(run, run.dropFirst()).map { abs($1 - $0) } })
  }

  /// From the mean of the `width` values around each, itself included; `nil` where no run is as
  /// long.
  static func meanDistance(_ runs: [[Double]], width: Int) -> Double? {
    let half = width / 2
    return Statistics.mean(
      runs.filter { $0.count >= width }.flatMap { run in
        (half..<run.count - half).map { index in
          abs(run[index] - run[index - half...index + half].reduce(0, +) / Double(width))
        }
      })
  }
}
