import DSP

/// The intelligibility of speech after a system: STOI and ESTOI, from about 0 to 1.
///
/// Both compare loudness in third octaves over stretches of 0.4 s. They were trained on noisy
/// speech and are only valid for two sounds of the same pitch and timing; for a change of pitch use
/// `init(vocodedOf:against:seed:)`. Values agree with pystoi 0.4.1 within 0.001, of the same samples:
/// infrasound, which counts in the choice of active frames, is not removed here.
///
/// - Cost: about 0.01 of real time at 48 kHz. Allocates.
/// - Source: Taal et al., "An algorithm for intelligibility prediction of time-frequency weighted
///   noisy speech", IEEE TASLP 19(7), 2011; Jensen and Taal, "An algorithm for predicting the
///   intelligibility of speech masked by modulated noise maskers", IEEE TASLP 24(11), 2016.
public struct Intelligibility: Equatable, Sendable {
  public var stoi: Double
  public var estoi: Double
  /// Number of frames (25.6 ms, every 12.8 ms) in which the reference is not silent.
  public var frameCount: Int

  /// Compares sounds of the same pitch, aligned in time.
  public init(of output: Signal, against reference: Signal) throws(Unmeasurable) {
    let pair = try Self.prepared(output, reference)
    try self.init(output: pair.output, reference: pair.reference)
  }

  /// Compares sounds of different pitch, aligned in time, after noise vocoding both: only what
  /// bands of noise can carry counts.
  public init(
    vocodedOf output: Signal, against reference: Signal, seed: UInt64 = 1
  ) throws(Unmeasurable) {
    let pair = try Self.prepared(output, reference)
    let vocoder = NoiseVocoder(sampleRateHz: Self.sampleRateHz)
    try self.init(
      output: vocoder.apply(pair.output, seed: seed),
      reference: vocoder.apply(pair.reference, seed: seed))
  }

  static let sampleRateHz = 10_000.0

  /// Returns the common sample rate of two sounds that can be compared.
  static func wholeRate(
    of output: Signal, _ reference: Signal, in rates: ClosedRange<Int>
  ) throws(Unmeasurable) -> Int {
    guard output.sampleRateHz == reference.sampleRateHz else {
      throw .ratesDiffer(output, reference)
    }
    guard let rateHz = Int(exactly: output.sampleRateHz), rates.contains(rateHz) else {
      throw Unmeasurable(
        .unsuitableRate,
        "the sample rate is \(output.sampleRateHz) Hz; "
          + "resample to a whole number of hertz from \(rates.lowerBound) to \(rates.upperBound)")
    }
    guard output.count == reference.count else {
      throw Unmeasurable(
        .lengthsDiffer,
        "the output has \(output.count) samples, the reference \(reference.count); "
          + "align them and cut both to one length")
    }
    for (side, signal) in [("reference", reference), ("output", output)] {
      if let sample = signal.firstNonFinite {
        throw Unmeasurable(.notFinite, "sample \(sample) of the \(side) is not a number")
      }
      // The threshold is far below the last bit of any recording.
      guard signal.samples.contains(where: { abs($0) > 1e-12 }) else {
        throw Unmeasurable(.silent, "the \(side) is silent")
      }
    }
    return rateHz
  }

  static let silentReference = Unmeasurable(.silent, "the reference is silent")

  /// Checks both sounds and resamples them to 10 kHz.
  private static func prepared(
    _ output: Signal, _ reference: Signal
  ) throws(Unmeasurable) -> (output: [Double], reference: [Double]) {
    let rateHz = try wholeRate(of: output, reference, in: 1...768_000)
    let resampler = OctaveResampler.shared(from: rateHz, to: Int(sampleRateHz))
    func resampled(_ signal: Signal) -> [Double] {
      signal.derived("octave \(sampleRateHz)") { resampler.apply(signal.samples) }
    }
    return (resampled(output), resampled(reference))
  }

  /// - Parameters: sounds of equal length at 10 kHz.
  private init(output: [Double], reference: [Double]) throws(Unmeasurable) {
    let active = ActiveFrames(of: reference)
    var bands = ThirdOctaves()
    let a = bands.levels(of: active.joined(reference))
    let b = bands.levels(of: active.joined(output))
    frameCount = a.count
    guard frameCount >= BandCorrelation.frameCount else {
      throw Unmeasurable(
        .tooLittleSound,
        "only \(frameCount) frames of the reference are not silent; 30 are needed, about 0.5 s")
    }
    stoi = BandCorrelation.clipped(of: b, with: a)
    estoi = BandCorrelation.normalized(of: b, with: a)
  }
}
