import Statistics

/// A resonance of the vocal tract.
public struct Formant: Codable, Equatable, Sendable {
  public var frequencyHz: Double
  /// Width between the points 3 dB below the peak.
  public var bandwidthHz: Double

  public init(frequencyHz: Double, bandwidthHz: Double) {
    self.frequencyHz = frequencyHz
    self.bandwidthHz = bandwidthHz
  }
}

/// The first four formants of a voice over time, at equal steps from time 0.
public struct FormantTrack: Codable, Equatable, Sendable {
  /// The formants at one instant; `nil` for each that was not found, all of them in silence.
  public struct Frame: Codable, Equatable, Sendable {
    public var f1: Formant?
    public var f2: Formant?
    public var f3: Formant?
    public var f4: Formant?

    public init(f1: Formant? = nil, f2: Formant? = nil, f3: Formant? = nil, f4: Formant? = nil) {
      (self.f1, self.f2, self.f3, self.f4) = (f1, f2, f3, f4)
    }

    /// Formant `number`, 1 to 4.
    public subscript(number: Int) -> Formant? {
      switch number {
      case 1: f1
      case 2: f2
      case 3: f3
      case 4: f4
      default: preconditionFailure("formants are numbered 1 to 4")
      }
    }
  }

  /// Time between frames; frame `i` is centred at `i * hopSeconds`.
  public var hopSeconds: Double
  public var frames: [Frame]

  public init(hopSeconds: Double, frames: [Frame]) {
    precondition(hopSeconds > 0, "time goes forwards")
    self.hopSeconds = hopSeconds
    self.frames = frames
  }

  public var count: Int { frames.count }

  /// The median frequency of a formant over the frames whose index `isChosen` accepts; `nil` if
  /// none of them has it.
  public func medianHz(
    ofFormant number: Int, where isChosen: (Int) -> Bool = { _ in true }
  ) -> Double? {
    Statistics.median(
      frames.indices.compactMap { isChosen($0) ? frames[$0][number]?.frequencyHz : nil })
  }
}
