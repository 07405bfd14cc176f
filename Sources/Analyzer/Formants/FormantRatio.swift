import DSP
import Foundation

/// How far the formants moved: 1 where they were kept, the pitch ratio where they moved along
/// ("chipmunk").
///
/// The envelopes of both sounds are slid over each other on a logarithmic scale, all voiced frames
/// together, until they match best.
///
/// - Domain: voiced sound below 500 Hz on both sides; higher harmonics lie too far apart.
/// - Cost: about 0.01 of real time. Allocates.
public struct FormantRatio: Equatable, Sendable {
  public var ratio: Double
  /// Of the envelopes at the best place, up to 1.
  public var correlation: Double
  /// Pairs of frames that were compared.
  public var frameCount: Int

  /// Why there is no number.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case tooFewFrames(Int)
    case unlike(Double)

    public var description: String {
      switch self {
      case .tooFewFrames(let count):
        "only \(count) frames have harmonics close enough to show an envelope (10 are needed)"
      case .unlike(let value):
        "the envelopes don't match anywhere (correlation \((value * 100).rounded() / 100))"
      }
    }
  }

  /// - Parameters:
  ///   - inputTrack, outputTrack: pitch of the two sounds.
  ///   - delaySeconds: how much later the output is.
  public init(
    of output: Signal, _ outputTrack: PitchTrack, from input: Signal, _ inputTrack: PitchTrack,
    delaySeconds: Double
  ) throws(Failure) {
    let pairs = Self.pairs(
      of: output, outputTrack, from: input, inputTrack, delaySeconds: delaySeconds)
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
      guard inputTrack.f0Hz[frame] > 0, inputTrack.f0Hz[frame] < 500,
        let shifted = outputTrack.f0Hz(atSeconds: time + delaySeconds), shifted < 500,
        let a = before.levels(atSeconds: time, f0Hz: inputTrack.f0Hz[frame], &transform),
        let b = after.levels(atSeconds: time + delaySeconds, f0Hz: shifted, &transform)
      else { continue }
      pairs.append((a, b))
    }
    return pairs
  }

  /// Of all pairs together, the output's envelope read `lag` steps higher.
  ///
  /// Mean and slope over what is compared are taken out: they are the same however far an envelope
  /// moves, and must not count as likeness.
  private static func correlation(
    _ pairs: [(input: [Double], output: [Double])], lag: Int
  ) -> Double {
    let from = max(0, -lag)
    let to = HarmonicEnvelope.stepCount - max(0, lag)
    // Every third step: they lie far closer than harmonics do.
    let steps = Array(stride(from: from, to: to, by: 3))
    let count = Double(steps.count)
    let middle = Double(from) + 1.5 * (count - 1)
    let spread = steps.reduce(0) { $0 + (Double($1) - middle) * (Double($1) - middle) }
    var (product, squareA, squareB) = (0.0, 0.0, 0.0)
    for pair in pairs {
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
