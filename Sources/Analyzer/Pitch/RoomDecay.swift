import DSP
import Foundation

/// The decay of the room that a sound was recorded in, and what it leaves of each earlier sound.
///
/// Late reverberation falls exponentially at one rate, whatever was sung. In each band its power R follows
/// from the power P of the frame before: R + f max(P - R, 0), times exp(-13.8 h / T), with the
/// hop h and the reverberation time T. (13.8 is 60 dB in powers of e.) A frame that R explains adds nothing of its own.
///
/// T is the value under which the falling frames of the whole sound are likeliest: a tail has P = R but for
/// `deviation`, a voice any P above R, and P below R contradicts the room. One abrupt end therefore refutes a long
/// room, and the fade of a dry voice is no room if other notes end faster.
///
/// - Source: Lebart, Boucher and Denbigh, "A new method based on spectral subtraction for speech
///   dereverberation", Acta Acustica 87, 2001, and Habets, Gannot and Cohen, "Late reverberant spectral
///   variance estimation", IEEE Signal Processing Letters 16(9), 2009, for R; Ratnam and others, "Blind
///   estimation of reverberation time", JASA 114(5), 2003, for the likelihood.
/// - Cost: a few percent of the pitch search. Allocates.
struct RoomDecay {
  /// Powers of a frame in bands.
  typealias Bands = SIMD16<Float>
  /// Edges of the bands, about a third of an octave apart.
  static let edgesHz = (0...Bands.scalarCount).map {
    110 * pow(3700.0 / 110, Double($0) / Double(Bands.scalarCount))
  }
  /// Number of values that describe a frame.
  static let count = 16

  /// Time in which a tail falls by 60 dB: 0.1 s for a dry sound.
  let reverberationSeconds: Double
  /// Mean log likelihood of a falling frame, less that without a room.
  let evidence: Double

  /// Powers of voice over room, averaged over a long note. It is not estimated: with 0 or 6 dB in
  /// its place reverberation times are a third too short or a fifth too long.
  static let directDb = 3.0
  private static let shortestSeconds = 0.1
  private static let (longestSeconds, triedCount) = (2.6, 20)
  /// Time between the frames from which the decay is estimated, and reach of the comparison that finds
  /// falling frames, which fall by `minFall` (natural logarithm).
  private static let (stepSeconds, fallSeconds) = (0.010, 0.050)
  static var minFall: Float { @_noLocks get { 0.4 } }
  /// Number of falls that show a room, and the time between two: a single long fall may be a fade.
  private static let (minFalls, apartSeconds) = (3, 0.1)
  // Recordings of people in 54 rooms by noise and 54 by image sources and rays chose what follows; ± 20 % of
  // any moves the median reverberation time by at most 6 %.

  /// Share of the falling frames that are tails, their deviation from R, and density of contradictions.
  private static var tailShare: Double { @_noLocks get { 0.4 } }
  private static var deviation: Double { @_noLocks get { 0.45 } }
  private static var contradiction: Double { @_noLocks get { 0.003 } }
  /// Width of the range of voices above R, natural logarithm.
  private static var voiceRange: Double { @_noLocks get { 8 } }
  /// Weight of a frame's likelihood: neighbours overlap.
  static var frameWeight: Double { @_noLocks get { 0.25 } }
  /// Share of the frames from which the noise of a band is taken, and factor on it.
  private static let quietShare = 0.1
  static var noiseFactor: Float { @_noLocks get { 3 } }
  /// A band counts from this power over its noise.
  private static var aboveNoise: Float { @_noLocks get { 4 } }

  private let powers: [Bands]
  private let hopSeconds: Double
  private let floor: Float  // power of a band below which nothing counts

  /// Estimates the decay from the powers of all frames of a sound.
  init(_ powers: [Bands], hopSeconds: Double) {
    self.powers = powers
    self.hopSeconds = hopSeconds
    floor = 1e-7 / 16 * (powers.reduce(0) { max($0, $1.sum()) })
    let every = max(1, Int((Self.stepSeconds / hopSeconds).rounded()))
    let frames = stride(from: 0, to: powers.count, by: every).map { powers[$0] }
    let step = hopSeconds * Double(every)
    let falling = Self.falling(frames, floor: floor, stepSeconds: step)
    let apart = Int((Self.apartSeconds / step).rounded())
    let falls = falling.indices.count { $0 == 0 || falling[$0] - falling[$0 - 1] > apart }
    guard falls >= Self.minFalls else {
      (reverberationSeconds, evidence) = (Self.shortestSeconds, 0)
      return
    }
    let noise = Self.noise(of: frames) + floor
    let ratio = log(Self.longestSeconds / Self.shortestSeconds) / Double(Self.triedCount - 1)
    let tried = (0..<Self.triedCount).map { Self.shortestSeconds * exp(ratio * Double($0)) }
    let likelihoods = tried.map {
      Self.logLikelihood($0, of: frames, falling, noise: noise, stepSeconds: step)
    }
    let most = likelihoods.max()!
    var (total, mean) = (0.0, 0.0)
    for (seconds, likelihood) in zip(tried, likelihoods) {
      let weight = exp(Self.frameWeight * (likelihood - most))
      total += weight
      mean += weight * log(seconds)
    }
    reverberationSeconds = exp(mean / total)
    evidence = most / Double(falling.count) - log((1 - Self.tailShare) / Self.voiceRange)
  }

  /// Indices of the frames in which the sound falls.
  private static func falling(_ frames: [Bands], floor: Float, stepSeconds: Double) -> [Int] {
    let levels = frames.map { log($0.sum() + 16 * floor + .leastNormalMagnitude) }
    let reach = max(1, Int((fallSeconds / stepSeconds).rounded()))
    return levels.indices.filter {
      levels[max(0, $0 - reach)] - levels[min(levels.count - 1, $0 + reach)] > minFall
    }
  }

  private static func noise(of frames: [Bands]) -> Bands {
    var noise = Bands.zero
    for band in noise.indices {
      let values = frames.map { $0[band] }.sorted()
      noise[band] = noiseFactor * values[Int(quietShare * Double(values.count - 1))]
    }
    return noise
  }

  private static func logLikelihood(
    _ seconds: Double, of frames: [Bands], _ falling: [Int], noise: Bands, stepSeconds: Double
  ) -> Double {
    var late = LatePower(seconds, hopSeconds: stepSeconds)
    var (sum, next) = (0.0, 0)
    for (index, power) in frames.enumerated() {
      guard next < falling.count else { break }
      if index == falling[next] {
        next += 1
        sum += log(likelihood(logRatio(of: power, to: late.power, noise: noise)))
      }
      late.add(power)
    }
    return sum
  }

  /// Mean log ratio of the power of a falling frame to that which earlier sound leaves, over the bands above the
  /// noise; 1 if there are none.
  @_semantics("no_performance_analysis")
  static func logRatio(of power: Bands, to late: Bands, noise: Bands) -> Double {
    let heard = pointwiseMax(power, late) .> aboveNoise * noise
    let weights = Bands.zero.replacing(with: (power + late).squareRoot(), where: heard)
    let ratios = logarithms(of: (power + noise) / (late + noise))
    let total = weights.sum()
    return total > 0 ? Double((weights * ratios).sum() / total) : 1
  }

  /// Likelihood of that ratio: a tail's or a voice's.
  @_noLocks static func likelihood(_ logRatio: Double) -> Double {
    let z = logRatio / deviation
    let tail = RealtimeMath.exp(-0.5 * z * z) / (deviation * RealtimeMath.root(2 * .pi))
    return tailShare * tail + (logRatio > 0 ? (1 - tailShare) / voiceRange : 0) + contradiction
  }

  /// Returns `count` values of each frame: how far it exceeds what earlier sound leaves, now and nearby, how its
  /// fall compares with that of the room, and the room itself.
  func values() -> [[Float]] {
    guard floor > 0 else { return powers.map { _ in [Float](repeating: 0, count: Self.count) } }
    var late = LatePower(reverberationSeconds, hopSeconds: hopSeconds)
    let levels = powers.map { logarithms(of: $0 + floor) }
    let shares = powers.map { power -> Bands in
      let amplitudes = (power + floor).squareRoot()
      return amplitudes / amplitudes.sum()
    }
    let above = powers.indices.map { i -> SIMD2<Float> in
      defer { late.add(powers[i]) }
      let own = pointwiseMax(powers[i] - late.power, Bands.zero).sum() + 16 * floor
      let share = log(own / (powers[i].sum() + 16 * floor))
      let ratios = (levels[i] - logarithms(of: late.power + floor))
        .clamped(lowerBound: Bands(repeating: -4), upperBound: Bands(repeating: 6))
      return SIMD2(max(share, -6), (shares[i] * ratios).sum())
    }
    func at(_ i: Int, _ seconds: Double) -> Int {
      min(max(i + Int((seconds / hopSeconds).rounded()), 0), powers.count - 1)
    }
    let room = [Float(log(reverberationSeconds)), Float(evidence)]
    return powers.indices.map { i in
      let near = [-0.05, -0.02, 0, 0.02, 0.05].map { above[at(i, $0)] }
      let falls = [-0.08, -0.04, 0.04, 0.08].map { seconds -> Float in
        let rise = (shares[i] * (levels[at(i, seconds)] - levels[i])).sum()
        return min(max(rise + Float(LatePower.decay * seconds / reverberationSeconds), -8), 8)
      }
      return near.flatMap { [$0.x, $0.y] } + falls + room
    }
  }
}
