import DSP

/// What was sung, exactly: known because it was made, not measured.
public struct Truth: Equatable, Sendable {
  public var sampleRateHz: Double
  /// Fundamental frequency at each sample; 0 where unvoiced.
  public var f0Hz: [Double]
  /// Glottal phase at each sample, voiced or not; whole numbers are the instants of closure.
  public var phaseCycles: [Double]
  /// Samples between two frames of `frames`.
  public var frameHopSamples: Int
  /// The slower things, from time 0 on.
  public var frames: [Frame]
  public var notes: [NoteTruth]
  public var phones: [PhoneTruth]

  /// The mouth and the sources at one instant.
  public struct Frame: Equatable, Sendable {
    public var timeSeconds: Double
    /// F1 to F5.
    public var formantsHz: [Double]
    /// Of F1 to F5, between the points 3 dB down.
    public var bandwidthsHz: [Double]
    /// Peak of the glottal pulse, relative to a vowel at mezzo forte; nil without voice.
    public var sourceDb: Double?
    /// Turbulence at the glottis, on the same scale.
    public var aspirationDb: Double?
    /// Turbulence in the mouth: its strongest band, on the same scale.
    public var fricationDb: Double?
  }

  /// Whether the folds sound at a sample: the voice is within 20 dB of a vowel's.
  public func isVoiced(at sample: Int) -> Bool { f0Hz[sample] > 0 }

  /// Voicing below this share of a vowel's amplitude counts as unvoiced.
  static let voicingThreshold = 0.1
}

/// A note as sung.
public struct NoteTruth: Codable, Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  /// The pitch aimed at, which vibrato and bends surround.
  public var f0Hz: Double
  public var lyric: String?
}

/// A phone as sung.
public struct PhoneTruth: Codable, Equatable, Sendable {
  public var phone: Phone
  public var onsetSeconds: Double
  public var offsetSeconds: Double
}

/// A performance as sound, with its truth.
public struct Rendering: Equatable, Sendable {
  public var signal: Signal
  public var truth: Truth
}
