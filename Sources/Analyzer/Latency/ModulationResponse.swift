import Foundation

/// How a system follows a swinging pitch, from what it made of a `ModulationProbe`: gain, phase and
/// delay at each rate of swing, apart from what it added by itself.
///
/// Of a harmonizer this is its vibrato transfer function, as far as the tracker that heard it
/// follows; of a tracker, fed with the probe itself, it says how far that is.
///
/// - Cost: frames of a period times twice the number of lines, for each period.
/// - Source: as `ModulationProbe`.
public struct ModulationResponse: Codable, Equatable, Sendable {
  /// One rate of swing.
  public struct Line: Codable, Equatable, Sendable {
    public var modulationHz: Double
    /// Swing that came out over swing that went in.
    public var gain: Double
    /// One standard error of the gain, from how periods differ.
    public var gainError: Double
    /// Radians, unwrapped from the slowest rate on; negative is late. `nil` where the gain is not
    /// three errors above 0.
    public var phase: Double?

    /// How late this rate comes out.
    public var delayMs: Double? { phase.map { -$0 / (2 * .pi * modulationHz) * 1000 } }
  }

  /// Why there is no answer.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case uneven(hopMs: Double)
    case tooFewPeriods(Int)

    public var description: String {
      switch self {
      case .uneven(let hopMs): "frames of \(hopMs) ms don't divide the period of the probe"
      case .tooFewPeriods(let count):
        "only \(count) periods of the probe have a pitch throughout; 2 are needed"
      }
    }
  }

  public var lines: [Line]
  /// The output's mean pitch over the probe's centre.
  public var meanRatio: Double
  /// Of what the lines' gain makes of the swing, root mean square.
  public var linearCents: Double
  /// Of what repeats with every period but isn't in the swing, at even and at odd multiples.
  public var evenDistortionCents: Double
  public var oddDistortionCents: Double
  /// Of what differs from period to period, up to the fastest rate.
  public var randomCents: Double
  public var periods: Int

  /// - Parameter track: of the output, from the first sample of the probe on.
  public init(of track: PitchTrack, to probe: ModulationProbe) throws(Failure) {
    let exact = probe.settings.periodSeconds / track.hopSeconds
    let frames = Int(exact.rounded())
    guard abs(exact - Double(frames)) < 1e-6 * exact, frames > 2 * (probe.lines.last! + 1) else {
      throw .uneven(hopMs: track.hopSeconds * 1000)
    }
    let heard = (1..<probe.settings.periods).compactMap { period -> [Double]? in
      let range = period * frames..<(period + 1) * frames
      guard range.upperBound <= track.count, track.f0Hz[range].allSatisfy({ $0 > 0 }) else {
        return nil
      }
      return track.f0Hz[range].map { cents($0, over: probe.settings.centreHz) }
    }
    guard heard.count >= 2 else { throw .tooFewPeriods(heard.count) }

    let bins = Array(1...probe.lines.last! + 1)
    let spectra = bins.map { bin in Bin(heard.map { Self.amplitude($0, bin) }) }
    func bin(_ line: Int) -> Bin { spectra[line - 1] }
    var lines: [Line] = []
    var delaySoFar = 0.0  // radians for each Hz, to unwrap by
    for (index, multiple) in probe.lines.enumerated() {
      let (into, out) = (probe.amplitude(ofLine: index), bin(multiple))
      let size = hypot(into.real, into.imaginary)
      let gain = hypot(out.mean.real, out.mean.imaginary) / size
      let error = out.varianceOfMean.squareRoot() / size
      let hz = Double(multiple) / probe.settings.periodSeconds
      var line = Line(modulationHz: hz, gain: gain, gainError: error, phase: nil)
      if gain > 3 * error {
        let turn =
          atan2(out.mean.imaginary, out.mean.real) - atan2(into.imaginary, into.real)
        let wraps = ((turn - delaySoFar * hz) / (2 * .pi)).rounded()
        let phase = turn - 2 * .pi * wraps
        delaySoFar = phase / hz
        line.phase = phase
      }
      lines.append(line)
    }
    self.lines = lines
    periods = heard.count
    let all = heard.joined()
    meanRatio = exp2(all.reduce(0, +) / Double(all.count) / 1200)
    linearCents = Self.rootPower(probe.lines.map { bin($0).ownPower })
    evenDistortionCents = Self.rootPower(bins.filter { $0 % 2 == 0 }.map { bin($0).ownPower })
    oddDistortionCents = Self.rootPower(probe.leftOut.map { bin($0).ownPower })
    randomCents = Self.rootPower(spectra.map { $0.varianceOfMean * Double(heard.count) / 2 })
  }

  /// The gain at any rate between the slowest and the fastest, on the straight line between its
  /// neighbours: at 5.5 Hz, the share of a vibrato's depth that comes out.
  public func gain(atHz hz: Double) -> Double? {
    Self.between(lines.map { ($0.modulationHz, $0.gain) }, hz)
  }

  /// How late swings come out, mean over the rates up to `hz`, weighted as a fit of a straight line
  /// through the origin to the phase; `nil` where no phase is known.
  public func delayMs(upToHz hz: Double = 10) -> Double? {
    let known = lines.filter { $0.phase != nil && $0.modulationHz <= hz }
    let squares = known.reduce(0) { $0 + $1.modulationHz * $1.modulationHz }
    guard squares > 0 else { return nil }
    let products = known.reduce(0) { $0 + $1.phase! * $1.modulationHz }
    return -products / squares / (2 * .pi) * 1000
  }

  /// Slope of the phase at any rate: how late the outline of a swelling vibrato comes out.
  public func groupDelayMs(atHz hz: Double) -> Double? {
    let known = lines.compactMap { line in line.phase.map { (line.modulationHz, $0) } }
    let slopes = zip(known, known.dropFirst()).map { low, high in
      ((low.0 + high.0) / 2, -(high.1 - low.1) / (high.0 - low.0) / (2 * .pi) * 1000)
    }
    return Self.between(slopes, hz)
  }

  /// The complex amplitude of one multiple of the period's inverse.
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

  private static func between(_ points: [(Double, Double)], _ x: Double) -> Double? {
    for (low, high) in zip(points, points.dropFirst()) where low.0 <= x && x <= high.0 {
      return low.1 + (x - low.0) / (high.0 - low.0) * (high.1 - low.1)
    }
    return nil
  }
}

/// What all periods have at one multiple of their inverse.
private struct Bin {
  var mean: (real: Double, imaginary: Double)
  /// Of both parts together.
  var varianceOfMean: Double

  init(_ amplitudes: [SIMD2<Double>]) {
    let count = Double(amplitudes.count)
    let mean = amplitudes.reduce(.zero, +) / count
    self.mean = (mean.x, mean.y)
    varianceOfMean =
      amplitudes.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / (count * (count - 1))
  }

  /// Of what repeats, without what chance adds to it: mean square, may lie below 0.
  var ownPower: Double {
    (mean.real * mean.real + mean.imaginary * mean.imaginary - varianceOfMean) / 2
  }
}
