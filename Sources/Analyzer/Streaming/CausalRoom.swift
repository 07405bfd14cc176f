import DSP
import Foundation

/// The decay of the room of a stream, and what it leaves of each earlier sound: `RoomDecay`, on the sound so far.
///
/// Every reverberation time of a few has a likelihood, which falling frames raise or lower and time forgets. Until
/// notes have ended, a dry sound is assumed.
///
/// - Allocates: in `init` only.
struct CausalRoom: ~Copyable {
  private static let (shortestSeconds, longestSeconds, triedCount) = (0.1, 2.6, 10)
  /// Reach of the comparison that finds falling frames, and of `values.z`.
  private static let (reachSeconds, fallSeconds) = (0.05, 0.04)
  // Chosen before the network was fitted. With it ± 20 % of the memory and of the rates move the accuracy of the
  // recordings of docs/notes/pitch.md by less than 0.001, of `prior` by 0.004 in rooms and 0.002 in noise.

  /// Time constant with which the likelihoods are forgotten.
  private static let memorySeconds = 20.0
  /// Log likelihood of a reverberation time below that of the next shorter one, before anything is heard.
  private static let prior = 4.0
  /// Rates in dB a second at which the noise rises and the loudest falls.
  private static let (noiseRiseDb, loudFallDb) = (3.0, 3.0)

  private let edges: RealtimeArray<Int>
  private let logSeconds: RealtimeArray<Double>
  private var late: RealtimeArray<LatePower>
  private var likelihoods: RealtimeArray<Double>
  // Rings: powers of each hop, what earlier sound leaves under each reverberation time, and the noise.
  private var powers: RealtimeArray<RoomDecay.Bands>
  private var latePowers: RealtimeArray<RoomDecay.Bands>
  private var limits: RealtimeArray<RoomDecay.Bands>
  private var levels: RealtimeArray<Float>  // ring: logarithm of the whole power
  private var bands: RealtimeArray<RoomDecay.Bands>  // ring: logarithm of the powers
  private let reach: Int
  private let fallReach: Int
  private let noiseRise: Float
  private let loudFall: Float
  private let forgetting: Double
  private let weight: Double
  private var noise = RoomDecay.Bands.zero
  private var loud: Float = 0
  private var now = 0
  private var chosen = 0
  /// Values that describe the newest hop: logarithm of the share of its power that exceeds what earlier sound leaves
  /// (x), mean log ratio of both (y), its fall since 40 ms before less that of the room (z), and the logarithm of the
  /// reverberation time in seconds (w).
  private(set) var values = SIMD4<Float>.zero

  /// - Parameter isDry: assumes a dry sound whatever is heard, for less than half of the cost.
  init(isDry: Bool, hopSeconds: Double, spectrum: borrowing CausalSpectrum) {
    let (hzPerBin, binCount) = (Double(spectrum.hzPerBin), spectrum.values.count)
    edges = RealtimeArray(RoomDecay.edgesHz.map { min(Int(($0 / hzPerBin).rounded()), binCount) })
    let ratio = log(Self.longestSeconds / Self.shortestSeconds) / Double(Self.triedCount - 1)
    let triedCount = isDry ? 1 : Self.triedCount
    let tried = (0..<triedCount).map { Self.shortestSeconds * exp(ratio * Double($0)) }
    logSeconds = RealtimeArray(tried.map { log($0) })
    late = RealtimeArray(tried.map { LatePower($0, hopSeconds: hopSeconds) })
    likelihoods = RealtimeArray(count: tried.count)
    reach = max(1, Int((Self.reachSeconds / hopSeconds).rounded()))
    fallReach = max(1, Int((Self.fallSeconds / hopSeconds).rounded()))
    let length = powerOfTwo(above: 2 * reach + 1)
    powers = RealtimeArray(repeating: .zero, count: length)
    latePowers = RealtimeArray(repeating: .zero, count: length * tried.count)
    limits = RealtimeArray(repeating: .zero, count: length)
    levels = RealtimeArray(count: length)
    bands = RealtimeArray(repeating: .zero, count: length)
    noiseRise = Float(pow(10, Self.noiseRiseDb * hopSeconds / 10))
    loudFall = Float(pow(10, -Self.loudFallDb * hopSeconds / 10))
    forgetting = exp(-hopSeconds / Self.memorySeconds)
    weight = hopSeconds / 0.010
    reset()
  }

  @_noLocks mutating func reset() {
    now = 0
    chosen = 0
    values = SIMD4(0, 0, 0, Float(logSeconds[0]))
    for i in 0..<late.count {
      late[i].power = .zero
      likelihoods[i] = -Self.prior * Double(i)
    }
    levels.clear()
    bands.fill(with: .zero)
  }

  /// Hears a hop by its spectrum.
  @_semantics("no_performance_analysis") mutating func hear(_ spectrum: borrowing CausalSpectrum) {
    var power = RoomDecay.Bands.zero
    for band in 0..<RoomDecay.Bands.scalarCount {
      var sum: Float = 0
      for bin in edges[band]..<edges[band + 1] { sum += spectrum.values[unchecked: bin].x }
      power[band] = sum
    }
    let total = power.sum()
    let isFirst = now == 0
    now &+= 1
    loud = isFirst ? total : max(total, loud * loudFall)
    let floor = 1e-7 / 16 * loud + 1e-30
    noise = isFirst ? power : pointwiseMin(power, noise * noiseRise)
    let length = levels.count
    let at = now & (length &- 1)
    let logs = logarithms(of: power + floor)
    levels[at] = Float(0.693_147_2 * RealtimeMath.log2(Double(total + 16 * floor)))
    bands[at] = logs
    let chosenLate = late[chosen].power
    powers[at] = power
    limits[at] = RoomDecay.noiseFactor * noise + floor
    for i in 0..<late.count {
      latePowers[at &* late.count &+ i] = late[i].power
      late[i].add(power)
    }
    learn(at, length)
    describe(power, logs, chosenLate, floor)
  }

  /// Judges the frame in the middle of the comparison, if the sound falls there.
  @_semantics("no_performance_analysis") private mutating func learn(_ at: Int, _ length: Int) {
    guard late.count > 1, now > 2 * reach else { return }
    let middle = (now &- reach) & (length &- 1)
    let before = (now &- 2 &* reach) & (length &- 1)
    guard levels[before] - levels[at] > RoomDecay.minFall else { return }
    var most = -Double.greatestFiniteMagnitude
    for i in 0..<late.count {
      let likelihood = RoomDecay.likelihood(
        RoomDecay.logRatio(
          of: powers[middle], to: latePowers[middle &* late.count &+ i], noise: limits[middle]))
      let forgotten = -Self.prior * Double(i)
      likelihoods[i] =
        forgotten + (likelihoods[i] - forgotten) * forgetting
        + weight * 0.693_147_2 * RealtimeMath.log2(likelihood)
      most = max(most, likelihoods[i])
    }
    var (total, mean) = (0.0, 0.0)
    for i in 0..<late.count {
      likelihoods[i] -= most
      let share = RealtimeMath.exp(RoomDecay.frameWeight * likelihoods[i])
      total += share
      mean += share * logSeconds[i]
    }
    mean /= total
    values.w = Float(mean)
    chosen = 0
    while chosen &+ 1 < late.count, 2 * mean > logSeconds[chosen] + logSeconds[chosen &+ 1] {
      chosen &+= 1
    }
  }

  @_semantics("no_performance_analysis") private mutating func describe(
    _ power: RoomDecay.Bands, _ logs: RoomDecay.Bands, _ late: RoomDecay.Bands, _ floor: Float
  ) {
    let whole = power.sum() + 16 * floor
    let own = pointwiseMax(power - late, .zero).sum() + 16 * floor
    values.x = max(Float(0.693_147_2 * RealtimeMath.log2(Double(own / whole))), -6)
    let amplitudes = (power + floor).squareRoot()
    let shares = amplitudes / amplitudes.sum()
    let ratio = (logs - logarithms(of: late + floor))
      .clamped(
        lowerBound: RoomDecay.Bands(repeating: -4), upperBound: RoomDecay.Bands(repeating: 6))
    values.y = (shares * ratio).sum()
    let before = bands[(now &- fallReach) & (bands.count &- 1)]
    let room = Float(LatePower.decay * Self.fallSeconds * RealtimeMath.exp(-Double(values.w)))
    values.z = now > fallReach ? min(max((shares * (before - logs)).sum() - room, -8), 8) : -room
  }
}
