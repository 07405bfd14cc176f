import DSP

/// Plays a recording at another speed, like a tape: double speed halves the length and raises pitch
/// and formants by an octave.
///
/// It is for recordings only and not an effect of a rack: live, a higher speed would need future
/// sound, and a lower one would fall ever further behind. (`Vibrato` alternates between both.)
///
/// - Cost: a resampling, about 150 multiplications a sample; allocates.
public struct Varispeed: Codable, Equatable, Sendable {
  public let speed: Double

  public static let half = Varispeed(unchecked: 0.5)
  public static let double = Varispeed(unchecked: 2)
  public static let allowed = 0.25...4.0

  public init(speed: Double) throws(SettingsError) {
    try require("speed", speed, in: Self.allowed)
    self.speed = speed
  }

  private init(unchecked speed: Double) { self.speed = speed }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(speed: container.decode(Double.self, forKey: .speed))
  }

  /// The sound at this speed and the same sample rate, without frequencies that would alias.
  public func apply(to signal: Signal) -> Signal {
    let squeezed = signal.resampled(to: signal.sampleRateHz / speed)
    return Signal(squeezed.samples, sampleRateHz: signal.sampleRateHz)
  }
}
