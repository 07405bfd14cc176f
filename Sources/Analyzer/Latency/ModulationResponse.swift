import Foundation

/// The response of a system to a `ModulationProbe`: gain, phase and delay at each modulation rate,
/// and distortion.
///
/// For a harmonizer this is its vibrato transfer function, within the limits of the pitch tracker.
/// For a tracker, applied to the probe itself, it shows those limits.
///
/// - Cost: frames per period times twice the number of lines, for each period.
/// - Source: see `ModulationProbe`.
public struct ModulationResponse: Codable, Equatable, Sendable {
  /// The response at one modulation rate.
  public struct Line: Codable, Equatable, Sendable {
    public var modulationHz: Double
    /// Modulation of the output over that of the input.
    public var gain: Double
    /// Standard error of the gain, from the differences between periods.
    public var gainError: Double
    /// Phase in radians, unwrapped from the slowest rate up; negative is late. `nil` if the gain is
    /// not three errors above 0.
    public var phase: Double?

    /// Delay at this rate.
    public var delayMs: Double? { phase.map { -$0 / (2 * .pi * modulationHz) * 1000 } }
  }

  public var lines: [Line]
  /// Root mean square of the modulation at the probe's lines.
  public var linearCents: Double
  /// Root mean square of periodic distortion at even multiples.
  public var evenDistortionCents: Double
  /// Root mean square of periodic distortion at the omitted odd multiples.
  public var oddDistortionCents: Double
  /// Root mean square of the differences between periods, up to the fastest rate.
  public var randomCents: Double
  public var periods: Int

  /// - Parameter track: pitch of the output, from the first sample of the probe.
  public init(of track: PitchTrack, to probe: ModulationProbe) throws(Unmeasurable) {
    let exact = ModulationProbe.periodSeconds / track.hopSeconds
    let frames = Int(exact.rounded())
    guard abs(exact - Double(frames)) < 1e-6 * exact, frames > 2 * (probe.lines.last! + 1) else {
      throw Unmeasurable(
        .outOfRange,
        "frames of \(track.hopSeconds * 1000) ms don't divide the probe's period; "
          + "choose a hop that does")
    }
    let heard = (1..<probe.periods).compactMap { period -> [Double]? in
      let range = period * frames..<(period + 1) * frames
      guard range.upperBound <= track.count, track.f0Hz[range].allSatisfy({ $0 > 0 }) else {
        return nil
      }
      return track.f0Hz[range].map { cents($0, over: probe.centreHz) }
    }
    guard heard.count >= 2 else {
      throw Unmeasurable(
        .tooLittleVoice,
        "only \(heard.count) periods of the probe are voiced throughout; 2 are needed")
    }

    let bins = Array(1...probe.lines.last! + 1)
    let spectra = bins.map { bin in Bin(heard.map { Self.amplitude($0, bin) }) }
    func bin(_ line: Int) -> Bin { spectra[line - 1] }
    var lines: [Line] = []
    var delaySoFar = 0.0  // radians per Hz, for unwrapping
    for (index, multiple) in probe.lines.enumerated() {
      let (into, out) = (probe.amplitude(ofLine: index), bin(multiple))
      let size = hypot(into.real, into.imaginary)
      let gain = hypot(out.mean.real, out.mean.imaginary) / size
      let error = out.varianceOfMean.squareRoot() / size
      let hz = Double(multiple) / ModulationProbe.periodSeconds
      var line = Line(modulationHz: hz, gain: gain, gainError: error, phase: nil)
      if gain > 3 * error {
        let turn = atan2(out.mean.imaginary, out.mean.real) - atan2(into.imaginary, into.real)
        let wraps = ((turn - delaySoFar * hz) / (2 * .pi)).rounded()
        let phase = turn - 2 * .pi * wraps
        delaySoFar = phase / hz
        line.phase = phase
      }
      lines.append(line)
    }
    self.lines = lines
    periods = heard.count
    linearCents = Self.rootPower(probe.lines.map { bin($0).ownPower })
    evenDistortionCents = Self.rootPower(bins.filter { $0 % 2 == 0 }.map { bin($0).ownPower })
    oddDistortionCents = Self.rootPower(probe.leftOut.map { bin($0).ownPower })
    randomCents = Self.rootPower(spectra.map { $0.varianceOfMean * Double(heard.count) / 2 })
  }

  /// Returns the gain at a rate between the slowest and the fastest, interpolated linearly. At 5.5
  /// Hz it is the share of a vibrato's depth that the system passes.
  public func gain(atHz hz: Double) -> Double? {
    for (low, high) in zip(lines, lines.dropFirst())
    where low.modulationHz <= hz && hz <= high.modulationHz {
      let share = (hz - low.modulationHz) / (high.modulationHz - low.modulationHz)
      return low.gain + share * (high.gain - low.gain)
    }
    return nil
  }

  /// Returns the mean delay over the rates up to `hz`, from a straight line through the origin
  /// fitted to the phase; `nil` if no phase is known.
  public func delayMs(upToHz hz: Double = 10) -> Double? {
    let known = lines.filter { $0.phase != nil && $0.modulationHz <= hz }
    let squares = known.reduce(0) { $0 + $1.modulationHz * $1.modulationHz }
    guard squares > 0 else { return nil }
    let products = known.reduce(0) { $0 + $1.phase! * $1.modulationHz }
    return -products / squares / (2 * .pi) * 1000
  }

  /// The complex amplitude at one multiple of the inverse period.
  private static func amplitude(_ period: [Double], _ multiple: Int) -> SIMD2<Double> {
    let step = 2 * Double.pi * Double(multiple) / Double(period.count)
    let sum = period.indices.reduce(into: SIMD2<Double>.zero) { sum, n in
      sum += period[n] * SIMD2(cos(step * Double(n)), -sin(step * Double(n)))
    }
    return 2 / Double(period.count) * sum
  }

  private static func rootPower(_ powers: [Double]) -> Double {
    max(0, powers.reduce(0, +)).squareRoot()
  }
}

/// The mean amplitude over all periods at one multiple of the inverse period.
private struct Bin {
  var mean: (real: Double, imaginary: Double)
  /// Variance of the real and imaginary part together.
  var varianceOfMean: Double

  init(_ amplitudes: [SIMD2<Double>]) {
    let count = Double(amplitudes.count)
    let mean = amplitudes.reduce(.zero, +) / count
    self.mean = (mean.x, mean.y)
    varianceOfMean =
      amplitudes.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / (count * (count - 1))
  }

  /// Mean square of the periodic part, corrected for noise; may be negative.
  var ownPower: Double {
    (mean.real * mean.real + mean.imaginary * mean.imaginary - varianceOfMean) / 2
  }
}
