import DSP
import Foundation

/// Proposes a few periods for the newest hop of a stream, and rates them.
struct PeriodCandidates: ~Copyable {
  struct Candidate: BitwiseCopyable {
    /// Period, in samples.
    var lag = 0.0
    /// Correlation of the sound one period apart in the newest stretch of one and a half periods.
    var near = 0.0
    /// The same in a stretch long enough for noise.
    var correlation = 0.0
    /// Log odds of the period, up to a constant of the hop.
    var strength = 0.0
    /// Odds up to a constant of the hop, and log odds against all other candidates.
    var share = 0.0
    var odds = 0.0

    /// The higher correlation; that of a short stretch is more often high by chance.
    var height: Double { @_noLocks get { max(correlation, near - 0.05) } }
  }

  /// Advantage in rank of a candidate an octave higher: noise favours multiples.
  private static var octaveAdvantage: Double { @_noLocks get { 0.02 } }
  /// Length of the newest stretch that proposes a period: in periods, and at least in seconds.
  private static let (periods, shortestSeconds) = (1.5, 0.008)
  /// Length of the long stretch, in periods of the floor.
  private static let windowPeriods = 2.1
  /// Minimum correlations of a candidate, newest and long.
  private static var minNear: Float { @_noLocks get { 0.3 } }
  private static var minLong: Float { @_noLocks get { 0.2 } }
  /// Difference in correlation to the highest beyond which a candidate is dropped: no growl loses its period.
  private static var faintness: Double { @_noLocks get { 0.5 } }
  /// Level above the quietest that counts as free of noise.
  private static var clearDb: Double { @_noLocks get { 40 } }
  private static var naturalLog2: Double { @_noLocks get { 0.693_147_180_559_945 } }
  static var maxCount: Int { @_noLocks get { 8 } }

  private let floorHz: Double
  private let ceilingHz: Double
  private let rateHz: Double
  private let hopSamples: Int
  private var products: LagProducts
  private(set) var spectrum: CausalSpectrum
  private let between = CorrelationInterpolator()
  private var correlation: RealtimeArray<Float>  // at each lag
  private var dense: RealtimeArray<Float>  // at each half lag
  private var found: RealtimeArray<Candidate>
  private(set) var evidence = CandidateEvidence(maxCandidates: maxCount)
  /// A candidate to fill in: its initializer is not known to take no lock in a build without optimization.
  private let blank = CandidateEvidence.Candidate()
  private let network = SmallNetwork(.livePeriods)
  private(set) var count = 0
  /// Power of the newest hop.
  private(set) var power = 0.0

  init(floorHz: Double, ceilingHz: Double, rateHz: Double, hopSamples: Int) {
    (self.floorHz, self.ceilingHz) = (floorHz, ceilingHz)
    self.rateHz = rateHz
    self.hopSamples = hopSamples
    let shortest = Self.shortestSeconds * rateHz
    let window = Int(Self.windowPeriods * rateHz / floorHz) / 8 * 8
    products = LagProducts(
      longestLag: Int(rateHz / floorHz) + CorrelationInterpolator.reach + 2,
      hopSamples: hopSamples, memory: window,
      windowSamples: { max(shortest, Self.periods * Double($0)) * 4 / 3 })
    spectrum = CausalSpectrum(
      windowSamples: window, lagCount: products.lagCount, floorHz: floorHz, rateHz: rateHz)
    correlation = RealtimeArray<Float>(count: products.lagCount)
    dense = RealtimeArray<Float>(count: 2 * products.lagCount)
    found = RealtimeArray(repeating: Candidate(), count: Self.maxCount)
  }

  @_noLocks mutating func reset() {
    products.reset()
    count = 0
    power = 0
  }

  @_noLocks mutating func add(_ sample: Float) { products.add(sample) }

  /// Ends a hop and measures its power.
  @_noLocks mutating func close() {
    power = Double(products.close(into: &correlation)) / Double(hopSamples)
    count = 0
  }

  /// Finds and rates the candidates of the newest hop.
  ///
  /// - Parameter aboveQuietDb: level of the newest sound above the quietest.
  @_noLocks mutating func find(aboveQuietDb: Double) {
    spectrum.update(products.past)
    guard spectrum.total > 1e-9 else { return }
    propose(near: true)
    propose(near: false)
    dropFaint()
    describe(aboveQuietDb)
  }

  /// Drops candidates whose correlation is far below the highest.
  @_noLocks private mutating func dropFaint() {
    var highest = 0.0
    for i in 0..<count { highest = max(highest, found[i].height) }
    var kept = 0
    for i in 0..<count where found[i].height > highest - Self.faintness {
      found[kept] = found[i]
      kept &+= 1
    }
    count = kept
  }

  @_noLocks private mutating func describe(_ aboveQuietDb: Double) {
    evidence.removeAll()
    let fractions = SIMD4(0.5, 1.0 / 3, 2.0 / 3, 1.5)
    for i in 0..<count {
      let own = found[i]
      var candidate = blank
      candidate.f0Hz = rateHz / own.lag
      candidate.correlation = own.correlation
      candidate.nearCorrelation = own.near
      candidate.persistence = persistence(of: own.lag)
      for k in 0..<4 {
        let lag = own.lag * fractions[k]
        let isInside = Int(lag) &+ CorrelationInterpolator.reach &+ 1 < spectrum.correlation.count
        candidate.atFractions[k] = isInside ? Float(value(spectrum.correlation, lag)) : 0
      }
      evidence.add(candidate)
    }
    evidence.describe(
      by: spectrum.values, hzPerBin: spectrum.hzPerBin, total: spectrum.total,
      shareAboveNoise: Float(min(max(aboveQuietDb, 0), Self.clearDb) / Self.clearDb))
    for i in 0..<count {
      found[i].strength = Double(
        network.value(of: evidence.values, from: i &* CandidateEvidence.valueCount))
    }
    fillOdds()
  }

  /// The log odds of each candidate against all others; the same pitch, in another stretch, is no rival.
  @_noLocks private mutating func fillOdds() {
    var highest = -Double.greatestFiniteMagnitude
    for i in 0..<count { highest = max(highest, found[i].strength) }
    for i in 0..<count { found[i].share = RealtimeMath.exp(found[i].strength - highest) }
    for i in 0..<count {
      var others = 1e-9 * found[i].share
      for j in 0..<count where (found[j].lag - found[i].lag).magnitude > 0.035 * found[i].lag {
        others += found[j].share
      }
      found[i].odds =
        Self.naturalLog2 * RealtimeMath.log2((found[i].share + 1e-30) / (others + 1e-30))
    }
  }

  /// Adds the peaks of the newest or the long correlation to the candidates.
  @_noLocks private mutating func propose(near: Bool) {
    if near {
      Self.fill(&dense, correlation, between)
    } else {
      Self.fill(&dense, spectrum.correlation, between)
    }
    let threshold = near ? Self.minNear : Self.minLong
    let end = dense.count - 2 * CorrelationInterpolator.reach
    let last = min(Int(2 * rateHz / floorHz), end - 2)
    var at = max(6, Int(2 * rateHz / ceilingHz))
    while at <= last {
      let height = dense[unchecked: at]
      if height > threshold, height > dense[unchecked: at &- 1], height >= dense[unchecked: at &+ 1]
      {
        let found = near ? peak(near: at, correlation) : peak(near: at, spectrum.correlation)
        if found.lag * ceilingHz >= rateHz { near ? insert(found) : merge(found) }
      }
      at += 1
    }
  }

  /// Interpolates correlations at half lags; between two negative ones there is no peak.
  @_noLocks private static func fill(
    _ dense: inout RealtimeArray<Float>, _ correlation: borrowing RealtimeArray<Float>,
    _ between: borrowing CorrelationInterpolator
  ) {
    for lag in 2..<correlation.count - CorrelationInterpolator.reach {
      let (here, next) = (correlation[unchecked: lag], correlation[unchecked: lag + 1])
      dense[unchecked: 2 * lag] = here
      dense[unchecked: 2 * lag + 1] =
        max(here, next) < 0 ? 0 : between.value(correlation, atQuarters: 4 * lag + 2)
    }
  }

  /// The peak near a half lag higher than its neighbours: the top of the parabola through the
  /// highest of the quarter lags around it and the two beside that.
  @_noLocks private func peak(
    near half: Int, _ correlation: borrowing RealtimeArray<Float>
  ) -> (lag: Double, height: Double) {
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
    return ((quarters + Double(offset)) / 4, height > 1 ? 1 / height : height)
  }

  @_noLocks private mutating func insert(_ peak: (lag: Double, height: Double)) {
    var new = Candidate()
    (new.lag, new.near) = peak
    new.correlation = value(spectrum.correlation, peak.lag)
    keep(new)
  }

  /// Adds a peak of the long correlation, unless the newest has it too.
  @_noLocks private mutating func merge(_ peak: (lag: Double, height: Double)) {
    for i in 0..<count where (found[i].lag - peak.lag).magnitude < 0.03 * peak.lag {
      found[i].correlation = max(found[i].correlation, peak.height)
      return
    }
    var new = Candidate()
    (new.lag, new.correlation) = peak
    new.near = value(correlation, peak.lag)
    keep(new)
  }

  /// Keeps a candidate if it is among the best so far.
  @_noLocks private mutating func keep(_ candidate: Candidate) {
    if count < found.count {
      found[count] = candidate
      count += 1
      return
    }
    var worst = 0
    for i in 1..<count where rank(found[i]) < rank(found[worst]) { worst = i }
    if rank(candidate) > rank(found[worst]) { found[worst] = candidate }
  }

  @_noLocks private func rank(_ candidate: Candidate) -> Double {
    candidate.height - Self.octaveAdvantage * RealtimeMath.log2(candidate.lag)
  }

  /// The correlation at the last multiple of a period within the lags, within an error of an eighth of a
  /// lag of the period; 1 if there is no multiple.
  @_noLocks private func persistence(of lag: Double) -> Double {
    let longest = spectrum.correlation.count &- 4
    let multiple = floorOf(Double(longest) / lag)
    guard multiple > 1 else { return 1 }
    let centre = Int(Double(multiple) * lag + 0.5)
    let reach = multiple / 8 &+ 1
    var highest: Float = 0
    for at in centre - reach...min(longest + 3, centre + reach) {
      highest = max(highest, spectrum.correlation[at])
    }
    return Double(highest)
  }

  @_noLocks private func value(
    _ correlation: borrowing RealtimeArray<Float>, _ lag: Double
  ) -> Double {
    Double(between.value(correlation, atQuarters: Int(4 * lag + 0.5)))
  }

  @_noLocks func candidate(_ index: Int) -> Candidate { found[index] }

  /// Age in samples of the centre of the newest stretch that proposes a period.
  @_noLocks func age(atLag lag: Double) -> Double { products.age(atLag: Int(lag + 0.5)) }
}
