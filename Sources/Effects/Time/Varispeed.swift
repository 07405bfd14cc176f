import DSP

/// Plays a recording at another speed, as a tape does: at double speed it is half as long and an
/// octave higher, formants too.
///
/// This is for recordings. Of live sound a faster playing would need what has not been sung yet, and
/// a slower one would fall ever further behind; so it is not an effect of a rack. (`Vibrato` is a
/// change of speed that takes turns.)
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

  /// The sound at this speed; its sample rate stays. What would lie above half of it is taken away.
  public func apply(to signal: Signal) -> Signal {
    let squeezed = signal.resampled(to: signal.sampleRateHz / speed)
    return Signal(squeezed.samples, sampleRateHz: signal.sampleRateHz)
  }
}
