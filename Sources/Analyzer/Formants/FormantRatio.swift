import DSP
import Foundation

/// The ratio by which a system shifted the formants: 1 if it kept them, the pitch ratio if they
/// moved with the pitch ("chipmunk").
///
/// The envelopes of both sounds, over all voiced frames, are shifted against each other on a
/// logarithmic frequency scale until they match best.
///
/// - Domain: voiced sound below 500 Hz on both sides; harmonics of higher voices lie too far apart.
/// - Cost: about 0.01 of real time. Allocates.
public struct FormantRatio: Equatable, Sendable {
  public var ratio: Double
  /// Correlation of the envelopes at the best shift, up to 1.
  public var correlation: Double
  /// Number of frame pairs compared.
  public var frameCount: Int

  /// A reason why the ratio is undefined.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case tooFewFrames(Int)
    case unlike(Double)

    public var description: String {
      switch self {
      case .tooFewFrames(let count):
        "only \(count) frames show an envelope, 10 are needed; use a longer or lower voice"
      case .unlike(let value):
        "the envelopes don't match anywhere (correlation \((value * 100).rounded() / 100))"
      }
    }
  }

  /// - Parameters:
  ///   - inputTrack, outputTrack: pitch of the two sounds.
  ///   - delaySeconds: delay of the output.
  public init(
    of output: Signal, _ outputTrack: PitchTrack, from input: Signal, _ inputTrack: PitchTrack,
    delaySeconds: Double
  ) throws(Failure) {
    try self.init(
      Self.pairs(of: output, outputTrack, from: input, inputTrack, delaySeconds: delaySeconds))
  }

  /// Compares a voice of which only harmonics are known, such as one inside a mix.
  ///
  /// - Parameters:
  ///   - harmonics: of the output, at the output's times. Harmonics without a clear level may be
  ///     missing between others.
  ///   - inputTrack: pitch of the input.
  ///   - delaySeconds: delay of the output.
  public init(
    of harmonics: [HarmonicLevels], from input: Signal, _ inputTrack: PitchTrack,
    delaySeconds: Double
  ) throws(Failure) {
    let before = HarmonicEnvelope(of: input)
    var transform = FourierTransform(count: 4096)
    try self.init(
      harmonics.compactMap { frame in
        let time = frame.timeSeconds - delaySeconds
        guard frame.f0Hz < Self.highestHz,
          let f0Hz = inputTrack.f0Hz(atSeconds: time), f0Hz > 0, f0Hz < Self.highestHz,
          let a = before.levels(atSeconds: time, f0Hz: f0Hz, &transform),
          let b = HarmonicEnvelope.levels(of: frame), b.count >= Self.leastSteps
        else { return nil }
        return (a, b)
      })
  }

  private static let highestHz = 500.0
  /// Fewest steps of an envelope that tell a shift: two octaves, with two formants.
  private static let leastSteps = Int(2 * HarmonicEnvelope.stepsPerOctave)

  private init(_ pairs: [(input: [Double], output: [Double])]) throws(Failure) {
    guard pairs.count >= 10 else { throw .tooFewFrames(pairs.count) }
    let reach = Int(1.25 * HarmonicEnvelope.stepsPerOctave)
    let correlations = (-reach...reach).map { Self.correlation(pairs, lag: $0) }
    let best = correlations.indices.dropFirst().dropLast()
      .max { correlations[$0] < correlations[$1] }!
    correlation = correlations[best]
    guard correlation >= 0.5 else { throw .unlike(correlation) }
    let (below, above) = (correlations[best - 1], correlations[best + 1])
    let curvature = below - 2 * correlation + above
    let offset = curvature < 0 ? max(-1, min(1, (below - above) / (2 * curvature))) : 0
    ratio = exp2((Double(best - reach) + offset) / HarmonicEnvelope.stepsPerOctave)
    frameCount = pairs.count
  }

  private static func pairs(
    of output: Signal, _ outputTrack: PitchTrack, from input: Signal, _ inputTrack: PitchTrack,
    delaySeconds: Double
  ) -> [(input: [Double], output: [Double])] {
    let (before, after) = (HarmonicEnvelope(of: input), HarmonicEnvelope(of: output))
    var transform = FourierTransform(count: 4096)
    var pairs: [(input: [Double], output: [Double])] = []
    for frame in stride(from: 0, to: inputTrack.count, by: 4) {
      let time = Double(frame) * inputTrack.hopSeconds
      guard inputTrack.f0Hz[frame] > 0, inputTrack.f0Hz[frame] < highestHz,
        let shifted = outputTrack.f0Hz(atSeconds: time + delaySeconds), shifted < highestHz,
        let a = before.levels(atSeconds: time, f0Hz: inputTrack.f0Hz[frame], &transform),
        let b = after.levels(atSeconds: time + delaySeconds, f0Hz: shifted, &transform)
      else { continue }
      pairs.append((a, b))
    }
    return pairs
  }

  /// The correlation over all pairs, with the output's envelope read `lag` steps higher. An envelope
  /// may end before the other.
  ///
  /// Mean and slope of the compared range are removed first: they don't move with an envelope and
  /// must not count as a match.
  private static func correlation(
    _ pairs: [(input: [Double], output: [Double])], lag: Int
  ) -> Double {
    let from = max(0, -lag)
    var (product, squareA, squareB) = (0.0, 0.0, 0.0)
    for pair in pairs {
      // Every third step is enough, far finer than the harmonics.
      let to = min(pair.input.count, pair.output.count - lag)
      guard to > from else { continue }
      let steps = stride(from: from, to: to, by: 3)
      let count = Double((to - from + 2) / 3)
      let middle = Double(from) + 1.5 * (count - 1)
      let spread = 0.75 * count * (count * count - 1)
      var (sumA, sumB, slopeA, slopeB, ab, aa, bb) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      for i in steps {
        let (a, b, x) = (pair.input[i], pair.output[i + lag], Double(i) - middle)
        sumA += a
        sumB += b
        slopeA += a * x
        slopeB += b * x
        ab += a * b
        aa += a * a
        bb += b * b
      }
      product += ab - sumA * sumB / count - slopeA * slopeB / spread
      squareA += aa - sumA * sumA / count - slopeA * slopeA / spread
      squareB += bb - sumB * sumB / count - slopeB * slopeB / spread
    }
    guard squareA > 0, squareB > 0 else { return 0 }
    return product / (squareA * squareB).squareRoot()
  }
}
