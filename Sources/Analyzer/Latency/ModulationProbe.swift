import DSP
import Foundation

/// A tone whose pitch is modulated at many rates at once, for measuring how a tracker or a
/// harmonizer follows each of them: its vibrato transfer function.
///
/// The modulation, in cents, repeats every `periodSeconds`. It consists of odd multiples of
/// `1 / periodSeconds`, without every fourth of these. Output at even multiples and at the omitted
/// ones is therefore nonlinear distortion; differences between periods are random.
///
/// - Source: the probe with frequency-modulated tones and the separation into linear, other
///   time-invariant and random parts are Kawahara et al., "Objective measurement of pitch
///   extractors' responses to frequency modulated sounds", 2022, arXiv 2204.00902. They sound
///   orthogonal sequences; here the sequence is an odd multisine with detection lines, Pintelon and
///   Schoukens, "System Identification", 2012, chapter 4; phases of Schroeder, 1970.
public struct ModulationProbe: Sendable {
  /// Maximum deviation of the pitch from its centre.
  private static let depthCents = 40.0
  private static let slowestHz = 1.5
  private static let fastestHz = 20.0
  /// Period of the modulation; rates are odd multiples of its inverse.
  static let periodSeconds = 2.0
  /// Maximum frequency of the tone's harmonics, whose amplitudes are 1 over their number.
  private static let ceilingHz = 5000.0

  /// Centre of the modulated pitch.
  let centreHz: Double
  /// Number of periods; the first is a warm-up.
  let periods: Int
  /// Multiples of `1 / periodSeconds` in the modulation.
  public let lines: [Int]
  /// Odd multiples among them that the modulation omits.
  public let leftOut: [Int]
  private let amplitudeCents: Double
  private let phases: [Double]

  public init() { self.init(centreHz: 220) }

  init(centreHz: Double = 220, periods: Int = 6) {
    let slowest = Int((Self.slowestHz * Self.periodSeconds).rounded(.up)) | 1
    let fastest = Int(Self.fastestHz * Self.periodSeconds)
    let odd = Array(stride(from: slowest, through: fastest, by: 2))
    let lines = odd.indices.filter { $0 % 4 != 3 }.map { odd[$0] }
    let phases = lines.indices.map { -Double.pi * Double($0 * $0) / Double(lines.count) }
    let highest = (0..<4000).map { step in
      abs(Self.swing(Double(step) / 4000, lines, phases))
    }.max()!
    (self.centreHz, self.periods) = (centreHz, periods)
    self.lines = lines
    self.phases = phases
    leftOut = odd.indices.filter { $0 % 4 == 3 }.map { odd[$0] }
    amplitudeCents = Self.depthCents / highest
  }

  public var durationSeconds: Double {
    // A tail gives late output and trackers with long windows whole periods.
    Double(periods) * Self.periodSeconds + 0.5
  }

  /// Deviation of the pitch from its centre.
  public func swingCents(atSeconds time: Double) -> Double {
    amplitudeCents * Self.swing(time / Self.periodSeconds, lines, phases)
  }

  public func f0Hz(atSeconds time: Double) -> Double {
    centreHz * exp2(swingCents(atSeconds: time) / 1200)
  }

  /// Returns the tone, at about -12 dB.
  ///
  /// - Cost: a sine per sample and line, and a complex product per harmonic.
  public func signal(sampleRateHz: Double = 48_000) -> Signal {
    let highest = centreHz * exp2(Self.depthCents / 1200)
    let top = min(Self.ceilingHz, 0.45 * sampleRateHz)
    let harmonics = max(1, Int(top / highest))
    var turns = 0.0
    let samples = (0..<Int(durationSeconds * sampleRateHz)).map { n -> Float in
      let (c, s) = (cos(2 * .pi * turns), sin(2 * .pi * turns))
      var (real, imaginary, sum) = (1.0, 0.0, 0.0)
      for harmonic in 1...harmonics {
        (real, imaginary) = (real * c - imaginary * s, imaginary * c + real * s)
        sum += imaginary / Double(harmonic)
      }
      // The midpoint of two instants keeps the phase exact to second order.
      turns += f0Hz(atSeconds: (Double(n) + 0.5) / sampleRateHz) / sampleRateHz
      turns -= turns.rounded(.down)
      return Float(0.2 * sum)
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }

  /// Returns the complex amplitude of one line in cents; its magnitude is the peak of the cosine.
  func amplitude(ofLine index: Int) -> (real: Double, imaginary: Double) {
    (amplitudeCents * cos(phases[index]), amplitudeCents * sin(phases[index]))
  }

  /// The modulation at a time in periods.
  private static func swing(_ time: Double, _ lines: [Int], _ phases: [Double]) -> Double {
    zip(lines, phases).reduce(0) { $0 + cos(2 * .pi * Double($1.0) * time + $1.1) }
  }
}
