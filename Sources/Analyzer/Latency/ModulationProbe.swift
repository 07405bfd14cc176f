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
  public struct Settings: Codable, Equatable, Sendable {
    /// Centre of the modulated pitch.
    public var centreHz = 220.0
    /// Maximum deviation of the pitch from its centre.
    public var depthCents = 40.0
    public var slowestHz = 1.5
    public var fastestHz = 20.0
    /// Period of the modulation; rates are odd multiples of its inverse.
    public var periodSeconds = 2.0
    /// Number of periods; the first is a warm-up.
    public var periods = 6
    /// Maximum frequency of the tone's harmonics, whose amplitudes are 1 over their number.
    public var ceilingHz = 5000.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("centreHz", centreHz, in: 40...1600)
      try require("depthCents", depthCents, in: 1...200)
      try require("periodSeconds", periodSeconds, in: 0.5...20)
      try require("slowestHz", slowestHz, in: 1 / periodSeconds...20)
      try require("fastestHz", fastestHz, in: slowestHz + 4 / periodSeconds...60)
      try require("periods", Double(periods), in: 3...100)
      try require("ceilingHz", ceilingHz, in: centreHz...20_000)
    }
  }

  public let settings: Settings
  /// Multiples of `1 / periodSeconds` in the modulation.
  public let lines: [Int]
  /// Odd multiples among them that the modulation omits.
  public let leftOut: [Int]
  private let amplitudeCents: Double
  private let phases: [Double]

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    let slowest = Int((settings.slowestHz * settings.periodSeconds).rounded(.up)) | 1
    let fastest = Int(settings.fastestHz * settings.periodSeconds)
    let odd = Array(stride(from: slowest, through: fastest, by: 2))
    let lines = odd.indices.filter { $0 % 4 != 3 }.map { odd[$0] }
    let phases = lines.indices.map { -Double.pi * Double($0 * $0) / Double(lines.count) }
    let highest = (0..<4000).map { step in
      abs(Self.swing(Double(step) / 4000, lines, phases))
    }.max()!
    self.settings = settings
    self.lines = lines
    self.phases = phases
    leftOut = odd.indices.filter { $0 % 4 == 3 }.map { odd[$0] }
    amplitudeCents = settings.depthCents / highest
  }

  public var durationSeconds: Double {
    // A tail gives late output and trackers with long windows whole periods.
    Double(settings.periods) * settings.periodSeconds + 0.5
  }

  /// Deviation of the pitch from its centre.
  public func swingCents(atSeconds time: Double) -> Double {
    amplitudeCents * Self.swing(time / settings.periodSeconds, lines, phases)
  }

  public func f0Hz(atSeconds time: Double) -> Double {
    settings.centreHz * exp2(swingCents(atSeconds: time) / 1200)
  }

  /// Returns the true pitch on a tracker's frames.
  public func track(hopSeconds: Double) -> PitchTrack {
    let f0 = (0...Int(durationSeconds / hopSeconds)).map {
      f0Hz(atSeconds: Double($0) * hopSeconds)
    }
    return PitchTrack(hopSeconds: hopSeconds, f0Hz: f0, voicing: f0.map { _ in 1 })
  }

  /// Returns the tone, at about -12 dB.
  ///
  /// - Cost: a sine per sample and line, and a complex product per harmonic.
  public func signal(sampleRateHz: Double = 48_000) -> Signal {
    let highest = settings.centreHz * exp2(settings.depthCents / 1200)
    let top = min(settings.ceilingHz, 0.45 * sampleRateHz)
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
