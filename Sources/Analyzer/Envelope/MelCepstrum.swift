import DSP
import Foundation

/// The shape of the spectrum on the mel scale, without its loudness: for each frame, the cosine
/// terms of the log amplitudes of 25 bands.
///
/// Frames of 25 ms under a Hann taper, every 5 ms, at 16 kHz; triangular bands from 0 to 8 kHz.
/// Terms are scaled so that the log amplitude is their sum.
///
/// - Input: mono, any rate; content above 8 kHz is ignored. Samples that are not finite count as 0.
/// - Cost: about 0.003 of real time. Allocates.
/// - Source: Davis and Mermelstein, "Comparison of parametric representations for monosyllabic word
///   recognition", IEEE Trans. ASSP 28(4), 1980; bands as librosa's `filters.mel(htk=True,
///   norm=None)`.
public struct MelCepstrum: Equatable, Sendable {
  public static let hopSeconds = 0.005
  /// Centre of the first frame.
  public static let firstCentreSeconds = 0.0125
  /// Terms 0 to 24 of each frame.
  public var frames: [[Double]]
  /// The power of each frame, in decibels of any reference.
  public var levelsDb: [Double]

  static let rateHz = 16_000.0
  static let bandCount = 25
  private static let length = 400
  private static let hop = 80
  private static let transformCount = 512
  /// Floor of a band's power relative to the loudest band: 80 dB below, which is inaudible.
  private static let faintestPower = 1e-8

  public init(of signal: Signal) {
    let samples = signal.withoutNonFinite.resampled(to: Self.rateHz).samples
    let taper = Window.hann.samples(Self.length).map { Float($0) }
    var transform = FourierTransform(count: Self.transformCount)
    var cut = taper
    var powers = [Double](repeating: 0, count: transform.binCount)
    frames = []
    levelsDb = []
    for start in stride(from: 0, through: samples.count - Self.length, by: Self.hop) {
      for n in taper.indices { cut[n] = samples[start + n] * taper[n] }
      transform.forward(cut.span)
      for bin in powers.indices { powers[bin] = Double(transform[bin].power) }
      levelsDb.append(10 * log10(powers.reduce(1e-20, +)))
      let bands = Self.bands(powers)
      let floor = max((bands.max() ?? 0) * Self.faintestPower, 1e-20)
      frames.append(Self.cosineTerms(bands.map { Foundation.log(max($0, floor)) / 2 }))
    }
  }

  /// Edges of the bands in bins; each band rises from one edge to the next and falls to the one
  /// after.
  private static let edges: [Double] = {
    let highest = mel(rateHz / 2)
    return (0...bandCount + 1).map { index in
      let mels = highest * Double(index) / Double(bandCount + 1)
      return 700 * (pow(10, mels / 2595) - 1) * Double(transformCount) / rateHz
    }
  }()

  private static func mel(_ hz: Double) -> Double { 2595 * log10(1 + hz / 700) }

  /// The bins of each band and the share of each bin's power that the band takes.
  private static let shares: [(first: Int, shares: [Double])] = (0..<bandCount).map { band in
    let (low, middle, high) = (edges[band], edges[band + 1], edges[band + 2])
    let bins = Int(low.rounded(.up))...Int(high)
    let taken = bins.map { bin -> Double in
      let x = Double(bin)
      return max(0, min((x - low) / (middle - low), (high - x) / (high - middle)))
    }
    return (bins.lowerBound, taken)
  }

  private static func bands(_ powers: [Double]) -> [Double] {
    shares.map { band in
      var sum = 0.0
      for (index, share) in band.shares.enumerated() { sum += share * powers[band.first + index] }
      return sum
    }
  }

  private static func cosineTerms(_ values: [Double]) -> [Double] {
    values.indices.map { n in
      dot(values, cosines[n]) * (n == 0 ? 1 : 2) / Double(bandCount)
    }
  }

  /// The cosine of each term in each band.
  private static let cosines = (0..<bandCount).map { n in
    (0..<bandCount).map { band -> Double in
      cos(.pi * Double(n) * (Double(band) + 0.5) / Double(bandCount))
    }
  }
}

/// The distance between the timbres of two sounds of the same timing, in decibels (mel-cepstral
/// distortion); 0 for equal timbres, at any level.
///
/// The distance of terms 1 to 13 is the root mean square difference of the smoothed mel spectra. It
/// is averaged over the frames in which both sounds are active.
///
/// - Domain: sounds aligned in time. The lower bands resolve single harmonics of high voices, so
///   above about 300 Hz a change of pitch alone adds distortion; compare equal pitches there.
/// - Source: Kubichek, "Mel-cepstral distance measure for objective speech quality assessment",
///   IEEE PACRIM 1993.
public struct MelCepstralDistortion: Equatable, Sendable {
  public var distortionDb: Double
  /// Number of 5 ms frames compared.
  public var frameCount: Int

  static let order = 13
  /// Level below the sound's loudest frame at which a frame counts as silent.
  static let silenceDb = 40.0

  /// - Parameter delaySeconds: delay of the output.
  /// - Returns: `nil` if both sounds are never active at once.
  public init?(of output: MelCepstrum, against reference: MelCepstrum, delaySeconds: Double = 0) {
    let shift = Int((delaySeconds / MelCepstrum.hopSeconds).rounded())
    let floors = [output, reference].map { ($0.levelsDb.max() ?? 0) - Self.silenceDb }
    var (sum, count) = (0.0, 0)
    for (index, frame) in reference.frames.enumerated() {
      let other = index + shift
      guard output.frames.indices.contains(other), output.levelsDb[other] > max(floors[0], -120),
        reference.levelsDb[index] > max(floors[1], -120)
      else { continue }
      sum += Self.decibels(output.frames[other], frame)
      count += 1
    }
    guard count > 0 else { return nil }
    distortionDb = sum / Double(count)
    frameCount = count
  }

  /// The distance between two frames in decibels, independent of their levels.
  ///
  /// - Parameters: frames of `MelCepstrum`.
  public static func decibels(_ a: [Double], _ b: [Double]) -> Double {
    var square = 0.0
    for index in 1...order {
      let difference = a[index] - b[index]
      square += difference * difference
    }
    return 10 * 0.4342944819032518 * (2 * square).squareRoot()  // nepers to decibels
  }
}
