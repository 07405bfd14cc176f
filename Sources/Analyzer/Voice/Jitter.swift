import Statistics

/// The change of a voice's period from one to the next, relative to the mean period.
///
/// Periods within `range` count. A period of more than 1.3 times its neighbour is taken for an
/// error of the marks and splits the run.
///
/// - Domain: steady voiced sound; vibrato and glides count as jitter, least in `ppq5`.
/// - Source: Baken and Orlikoff, "Clinical Measurement of Speech and Voice", 2000, chapter 6; names
///   and rules as in Praat and MDVP.
public struct Jitter: Codable, Equatable, Sendable {
  /// Mean distance of neighbouring periods, MDVP's Jitt; `nil` for fewer than two in a run.
  public let local: Double?
  /// The same in seconds, MDVP's Jita.
  public let localSeconds: Double?
  /// Mean distance from the mean of a period and its two neighbours; `nil` for fewer than three.
  public let rap: Double?
  /// Mean distance from the mean of a period and its four neighbours; `nil` for fewer than five.
  public let ppq5: Double?
  /// Mean distance of neighbouring differences, three times `rap`.
  public var ddp: Double? { rap.map { 3 * $0 } }

  public static let largestFactor = 1.3

  /// - Parameters:
  ///   - periods: periods in seconds, in runs without a gap.
  ///   - range: plausible periods, in seconds.
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

/// The distances within runs of values that jitter and shimmer share.
enum Perturbation {
  /// The mean distance between neighbours; `nil` if no run has two.
  static func meanStep(_ runs: [[Double]]) -> Double? {
    Statistics.mean(runs.flatMap { run in zip(run, run.dropFirst()).map { abs($1 - $0) } })
  }

  /// The mean distance from the mean of the `width` values around each, itself included; `nil` if
  /// no run is that long.
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
