import DSP

/// The exact parameters of a rendering, known from synthesis rather than measured.
public struct Truth: Equatable, Sendable {
  public var sampleRateHz: Double
  /// Fundamental frequency at each sample; 0 where unvoiced.
  public var f0Hz: [Double]
  /// Glottal phase at each sample, voiced or not; whole numbers are the instants of closure.
  public var phaseCycles: [Double]
  /// Samples between entries of `frames`.
  public var frameHopSamples: Int
  /// Slowly changing parameters, from time 0.
  public var frames: [Frame]
  public var notes: [NoteTruth]
  public var phones: [PhoneTruth]

  /// The vocal tract and the source levels at one instant.
  public struct Frame: Equatable, Sendable {
    public var timeSeconds: Double
    /// Frequencies of F1 to F5.
    public var formantsHz: [Double]
    /// Bandwidths of F1 to F5, between the points 3 dB down.
    public var bandwidthsHz: [Double]
    /// Peak of the glottal pulse relative to a vowel at mezzo forte; nil if unvoiced.
    public var sourceDb: Double?
    /// Turbulence at the glottis on the same scale.
    public var aspirationDb: Double?
    /// Turbulence in the mouth, its strongest band, on the same scale.
    public var fricationDb: Double?
  }

  /// Amplitude relative to a vowel's below which the voice counts as unvoiced.
  static let voicingThreshold = 0.1
}

/// The true values of a note.
public struct NoteTruth: Codable, Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  /// Target pitch, around which vibrato and bends deviate.
  public var f0Hz: Double
  public var lyric: String?
}

/// The true values of a phone.
public struct PhoneTruth: Codable, Equatable, Sendable {
  public var phone: Phone
  public var onsetSeconds: Double
  public var offsetSeconds: Double
}

/// A rendered performance with its truth.
public struct SynthesizedVoice: Equatable, Sendable {
  public var signal: Signal
  public var truth: Truth
}
