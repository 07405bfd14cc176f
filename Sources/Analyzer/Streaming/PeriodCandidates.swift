import DSP
import Foundation

/// Proposes a few periods for the newest hop of a stream, and a score for silence.
struct PeriodCandidates: ~Copyable {
  struct Peak: BitwiseCopyable {
    var lag = 0.0
    var correlation = 0.0
    var rank = 0.0
  }

  /// Advantage in correlation that a lag needs over its half or third not to count as a multiple.
  private static var similarity: Double { @_noLocks get { 0.02 } }
  /// Correlation above which repetition is not due to chance.
  private static var surelyPeriodic: Double { @_noLocks get { 0.7 } }
  /// Penalty of a multiple's rank below its half, in correlation: a path leaves it within two hops.
  private static var handicap: Double { @_noLocks get { 0.5 } }

  private let settings: StreamingPitchTracker.Settings
  private let rateHz: Double
  private let share: Double  // length of a hop in units of 10 ms, to which strengths refer
  private let hopSamples: Int
  private var products: LagProducts
  private let between = CorrelationInterpolator()
  private var correlation: RealtimeArray<Float>  // at each lag
  private var dense: RealtimeArray<Float>  // at each half lag
  private var peaks: RealtimeArray<Peak>
  private(set) var count = 0
  /// The highest correlation of the newest hop.
  private(set) var strongest = 0.0
  private var loudness = 0.0  // maximum power of a hop in the last seconds
  private var quietness = 0.0  // power of the newest hops relative to that

  init(_ settings: StreamingPitchTracker.Settings, rateHz: Double, hopSamples: Int) {
    self.settings = settings
    self.rateHz = rateHz
    self.hopSamples = hopSamples
    share = Double(hopSamples) / rateHz / 0.010
    let shortest = settings.shortestMs / 1000 * rateHz
    let periods = settings.periods
    products = LagProducts(
      longestLag: Int(rateHz / settings.floorHz) + CorrelationInterpolator.reach + 2,
      hopSamples: hopSamples,
      windowSamples: { max(shortest, periods * Double($0)) * 4 / 3 })
    correlation = RealtimeArray<Float>(count: products.lagCount)
    dense = RealtimeArray<Float>(count: 2 * products.lagCount)
    peaks = RealtimeArray(repeating: Peak(), count: PitchBeam.width - 1)
  }

  @_noLocks mutating func reset() {
    products.reset()
    count = 0
    strongest = 0
    loudness = 0
    quietness = 0
  }

  @_noLocks mutating func add(_ sample: Float) { products.add(sample) }

  /// Ends a hop and finds its candidate periods.
  @_noLocks mutating func close() {
    let power = Double(products.close(into: &correlation)) / Double(hopSamples)
    // Loudness at most quadruples in a hop, so that a click does not silence what follows.
    loudness = max(loudness * (1 - 0.003 * share), min(power, 4 * loudness + 1e-9))
    quietness = loudness > 0 ? max(power / loudness, 0.6 * quietness) : 0
    count = 0
    strongest = 0
    guard loudness > 1e-10 else { return }
    fillHalves()
    findPeaks()
    passOverMultiples()
  }

  /// Interpolates correlations at half lags; between two negative ones there is no peak.
  @_noLocks private mutating func fillHalves() {
    for lag in 4..<correlation.count - CorrelationInterpolator.reach {
      dense[unchecked: 2 * lag] = correlation[unchecked: lag]
      let isNegative = max(correlation[unchecked: lag], correlation[unchecked: lag + 1]) < 0
      dense[unchecked: 2 * lag + 1] =
        isNegative ? 0 : between.value(correlation, atQuarters: 4 * lag + 2)
    }
  }

  @_noLocks private mutating func findPeaks() {
    let end = dense.count - 2 * CorrelationInterpolator.reach
    let last = min(Int(2 * rateHz / settings.floorHz), end - 2)
    var at = max(10, Int(2 * rateHz / settings.ceilingHz))
    while at <= last {
      let height = dense[at]
      if height > 0.25, height > dense[at &- 1], height >= dense[at &+ 1] { insert(peak(near: at)) }
      at += 1
    }
  }

  /// The peak near a half lag higher than its neighbours: the top of the parabola through the
  /// highest of the quarter lags around it and the two beside that.
  @_noLocks private func peak(near half: Int) -> Peak {
    let before = between.value(correlation, atQuarters: 2 * half - 1)
    let after = between.value(correlation, atQuarters: 2 * half + 1)
    var (a, b, c) = (before, dense[half], after)
    var quarters = Double(2 * half)
    if before > b, before >= after {
      (a, b, c) = (dense[half - 1], before, b)
      quarters -= 1
    } else if after > b {
      (a, b, c) = (b, after, dense[half + 1])
      quarters += 1
    }
    let offset = peakOffset(a, b, c) ?? 0
    let height = Double(b - (a - c) * offset / 4)
    // A peak above 1 comes from the interpolation; its mirror image is as likely.
    return Peak(lag: (quarters + Double(offset)) / 4, correlation: height > 1 ? 1 / height : height)
  }

  /// Keeps a peak if it is among the best so far.
  @_noLocks private mutating func insert(_ peak: Peak) {
    var peak = peak
    strongest = max(strongest, peak.correlation)
    peak.rank = peak.correlation + settings.octaveCost * octaves(peak.lag)
    var at = count
    if count == peaks.count {
      guard peak.rank > peaks[count - 1].rank else { return }
      at = count - 1
    } else {
      count += 1
    }
    while at > 0, peaks[at - 1].rank < peak.rank {
      peaks[at] = peaks[at - 1]
      at -= 1
    }
    peaks[at] = peak
  }

  /// Lowers the rank of lags at which the sound repeats only because it does so at a half or a
  /// third of them. A path that began on such a multiple then leaves it at once.
  @_noLocks private mutating func passOverMultiples() {
    for i in 0..<count {
      let long = peaks[i]
      for j in 0..<count {
        let short = peaks[j]
        let turns = long.lag / short.lag
        let whole = turns < 2.5 ? 2.0 : 3.0
        guard (turns - whole).magnitude < 0.04 * whole,
          short.correlation > Self.surelyPeriodic,
          short.correlation > long.correlation - Self.similarity
        else { continue }
        peaks[i].rank = min(peaks[i].rank, short.rank - Self.handicap)
      }
    }
  }

  @_noLocks func state(_ index: Int, nowSamples: Double, scale: Double) -> PitchBeam.State {
    let peak = peaks[index]
    let age = products.age(atLag: Int(peak.lag + 0.5))
    return PitchBeam.State(
      f0Hz: rateHz / peak.lag, log2F0: octaves(peak.lag), correlation: peak.correlation,
      timeSamples: nowSamples - age * scale, score: peak.rank * share)
  }

  @_noLocks func silence(nowSamples: Double, scale: Double) -> PitchBeam.State {
    var state = PitchBeam.State.none
    let audible = RealtimeMath.root(quietness) / settings.silenceThreshold
    state.score = (settings.voicingThreshold + max(0, 1 - audible)) * share
    state.correlation = strongest
    let age = settings.shortestMs / 1000 * rateHz / 2
    state.timeSamples = nowSamples - age * scale
    return state
  }

  /// The pitch of a lag, in octaves above the floor.
  @_noLocks private func octaves(_ lag: Double) -> Double {
    RealtimeMath.log2(rateHz / (lag * settings.floorHz))
  }
}
