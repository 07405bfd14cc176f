/// A stretch of mono sound: samples, nominally within ±1, and their sample rate.
public struct Signal: Equatable, Sendable {
  public var samples: [Float]
  public var sampleRateHz: Double

  public init(_ samples: [Float], sampleRateHz: Double) {
    precondition(sampleRateHz > 0, "a sample rate is positive")
    self.samples = samples
    self.sampleRateHz = sampleRateHz
  }

  public var count: Int { samples.count }
  public var durationSeconds: Double { Double(samples.count) / sampleRateHz }

  /// The root mean square level, 0 for an empty signal.
  public var rms: Double {
    guard !samples.isEmpty else { return 0 }
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (energy / Double(samples.count)).squareRoot()
  }

  /// The index of the first sample that is NaN or infinite.
  public var firstNonFinite: Int? { samples.firstIndex { !$0.isFinite } }
}
