import DSP
import Foundation

/// The second judge of pitch: fits harmonics whose common pitch may glide to a stretch of sound,
/// by least squares around an expected pitch.
///
/// It shares nothing with `PitchTracker`: it knows no lags, candidates or paths, only a sum of
/// sines, and says how uncertain its answer is.
///
/// - Cost: about 0.1 ms an instant. Allocates.
/// - Source: Christensen and Jakobsson, "Multi-Pitch Estimation", 2009, chapter 2 (non-linear
///   least squares), with the slope as a further unknown; uncertainty from the curvature at the
///   minimum, as in the Cramér-Rao bound.
public struct HarmonicFit: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// Length of the stretch in periods of the expected pitch, but at least `shortestMs`.
    public var periods = 4.0
    public var shortestMs = 20.0
    /// As many harmonics as lie below `ceilingHz`, but at most this many.
    public var mostHarmonics = 12
    public var ceilingHz = 5000.0
    /// A fit that explains less of the energy than this says nothing about pitch.
    public var leastExplained = 0.5
    /// How far from the expected pitch the answer may lie.
    public var widestCents = 120.0

    public init() {}
  }

  /// The pitch at one instant.
  public struct Fit: Equatable, Sendable {
    public var f0Hz: Double
    /// One standard deviation, were the rest of the sound white noise.
    public var uncertaintyCents: Double
    /// Change of pitch.
    public var slopeHzPerSecond: Double
    /// Share of the energy that the harmonics make up, 0 to 1.
    public var explained: Double
  }

  public let settings: Settings
  private let signal: Signal
  private static let rateHz = 16_000.0

  public init(of signal: Signal, _ settings: Settings = Settings()) {
    self.settings = settings
    self.signal = signal.resampled(to: Self.rateHz)
  }

  /// The pitch around `expectedHz` at an instant; `nil` where there is none to be found.
  public func fit(atSeconds time: Double, expectedHz: Double) -> Fit? {
    let seconds = max(settings.periods / expectedHz, settings.shortestMs / 1000)
    let half = Int(seconds / 2 * Self.rateHz)
    let centre = Int((time * Self.rateHz).rounded())
    guard expectedHz > 0, centre - half >= 0, centre + half < signal.count else { return nil }
    let harmonics = min(settings.mostHarmonics, Int(settings.ceilingHz / expectedHz))
    guard harmonics > 0 else { return nil }

    let frame = Frame(signal.samples[(centre - half)...(centre + half)], rateHz: Self.rateHz)
    guard frame.energy > 1e-12 else { return nil }
    var (f0, slope) = (expectedHz, 0.0)
    // Gauss-Newton: each round squares the error, so the last step of 0.2 cents is exact enough.
    for _ in 0..<5 {
      guard let step = frame.step(f0Hz: f0, slope: slope, harmonics: harmonics) else { return nil }
      f0 += step.f0Hz
      slope += step.slope
      guard f0 > 0, abs(cents(f0, over: expectedHz)) <= settings.widestCents else { return nil }
      if abs(step.f0Hz) < 1e-4 * f0 {
        guard step.explained >= settings.leastExplained else { return nil }
        return Fit(
          f0Hz: f0, uncertaintyCents: cents(f0 + step.deviationHz, over: f0),
          slopeHzPerSecond: slope, explained: step.explained)
      }
    }
    return nil
  }

  /// The fits at each voiced frame of `expected`, as a pitch track on the same frames.
  ///
  /// - Parameter every: takes each n-th frame only; the others count as unvoiced.
  public func track(around expected: PitchTrack, every: Int = 1) -> PitchTrack {
    var track = PitchTrack(
      hopSeconds: expected.hopSeconds, f0Hz: expected.f0Hz.map { _ in 0 },
      voicing: expected.f0Hz.map { _ in 0 })
    for i in stride(from: 0, to: expected.count, by: every) where expected.f0Hz[i] > 0 {
      let time = Double(i) * expected.hopSeconds
      guard let fit = fit(atSeconds: time, expectedHz: expected.f0Hz[i]) else { continue }
      track.f0Hz[i] = fit.f0Hz
      track.voicing[i] = fit.explained
    }
    return track
  }
}

/// A tapered stretch of sound and the least squares problem on it.
private struct Frame {
  /// The sound, times the roots of its weights.
  let samples: [Double]
  let roots: [Double]
  /// Seconds from the middle.
  let times: [Double]
  let energy: Double
  let weightSum: Double
  /// How many equally weighted samples would tell as much.
  let effectiveCount: Double

  init(_ slice: ArraySlice<Float>, rateHz: Double) {
    let weights = Window.hann.samples(slice.count + 2).dropFirst().dropLast()
    roots = weights.map { $0.squareRoot() }
    samples = zip(slice, roots).map { Double($0) * $1 }
    let middle = Double(slice.count - 1) / 2
    times = slice.indices.map { (Double($0 - slice.startIndex) - middle) / rateHz }
    energy = samples.reduce(0) { $0 + $1 * $1 }
    weightSum = weights.reduce(0, +)
    effectiveCount = weightSum * weightSum / weights.reduce(0) { $0 + $1 * $1 }
  }

  struct Step {
    var f0Hz: Double
    var slope: Double
    var deviationHz: Double
    var explained: Double
  }

  /// One round: fits amplitudes, then the changes of pitch and slope that would fit better.
  func step(f0Hz: Double, slope: Double, harmonics: Int) -> Step? {
    let silent = [Double](repeating: 0, count: times.count)
    var cosines = [[Double]](repeating: silent, count: harmonics)
    var sines = cosines
    for (n, t) in times.enumerated() {
      let phase = 2 * Double.pi * (f0Hz * t + slope * t * t / 2)
      let (c1, s1) = (cos(phase), sin(phase))
      var (c, s) = (roots[n], 0.0)
      for h in 0..<harmonics {
        (c, s) = (c * c1 - s * s1, s * c1 + c * s1)
        cosines[h][n] = c
        sines[h][n] = s
      }
    }
    var problem = LeastSquares(target: samples)
    for h in 0..<harmonics {
      problem.add(column: cosines[h])
      problem.add(column: sines[h])
    }
    guard let amplitudes = problem.solved() else { return nil }
    let unexplained = max(problem.residual(amplitudes), 0)

    // The derivatives of that fit by pitch and by slope are two columns more.
    var byPitch = silent
    for h in 0..<harmonics {
      let (a, b) = (amplitudes[2 * h] * Double(h + 1), amplitudes[2 * h + 1] * Double(h + 1))
      for n in times.indices { byPitch[n] += b * cosines[h][n] - a * sines[h][n] }
    }
    for n in times.indices { byPitch[n] *= 2 * .pi * times[n] }
    problem.add(column: byPitch)
    problem.add(column: zip(byPitch, times).map { $0 * $1 / 2 })
    let pitch = 2 * harmonics
    guard let solution = problem.solved(), let spread = problem.inverseDiagonal(pitch) else {
      return nil
    }
    // Weights enter the normal equations once, but the noise they let through twice.
    let variance = unexplained / weightSum * spread * weightSum / effectiveCount
    return Step(
      f0Hz: solution[pitch], slope: solution[pitch + 1], deviationHz: variance.squareRoot(),
      explained: 1 - unexplained / energy)
  }
}
