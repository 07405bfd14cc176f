import DSP
import Foundation

/// The ratio by which a system shifted the formants: 1 if it kept them, the pitch ratio if they
/// moved with the pitch ("chipmunk").
///
/// The envelopes of both sounds, over all voiced frames, are shifted against each other on a
/// logarithmic frequency scale until they match best.
///
/// - Domain: voiced sound below 500 Hz on both sides; harmonics of higher voices lie too far apart.
///   Ratios from 0.42 to 2.38, 1.25 octaves either way.
/// - Cost: about 0.01 of real time. Allocates.
public struct FormantRatio: Equatable, Sendable {
  public var ratio: Double
  /// Correlation of the envelopes at the best shift, up to 1.
  public var correlation: Double
  /// Number of frame pairs compared.
  public var frameCount: Int

  /// The harmonics of an input, which can be compared with several outputs.
  public struct Input: Sendable {
    fileprivate struct Frame {
      var seconds: Double
      var harmonics: HarmonicEnvelope.Harmonics
    }

    fileprivate let frames: [Frame]

    public init(of signal: Signal, _ track: PitchTrack) {
      let envelope = HarmonicEnvelope(of: signal)
      var transform = FourierTransform(count: 4096)
      frames = stride(from: 0, to: track.count, by: 4).compactMap { index -> Frame? in
        let time = Double(index) * track.hopSeconds
        guard let f0Hz = track.f0Hz(atSeconds: time), f0Hz < FormantRatio.highestHz,
          let harmonics = envelope.harmonics(atSeconds: time, f0Hz: f0Hz, &transform)
        else { return nil }
        return Frame(seconds: time, harmonics: harmonics)
      }
    }
  }

  /// - Parameters:
  ///   - outputTrack: pitch of the output.
  ///   - delaySeconds: delay of the output.
  public init(
    of output: Signal, _ outputTrack: PitchTrack, from input: Input, delaySeconds: Double
  ) throws(Unmeasurable) {
    let after = HarmonicEnvelope(of: output)
    var transform = FourierTransform(count: 4096)
    let pairs = input.frames.compactMap { frame -> Pair? in
      let time = frame.seconds + delaySeconds
      guard let f0Hz = outputTrack.f0Hz(atSeconds: time), f0Hz < Self.highestHz,
        let harmonics = after.harmonics(atSeconds: time, f0Hz: f0Hz, &transform)
      else { return nil }
      return .envelopes(
        InterleavedLevels(frame.harmonics.levels()), InterleavedLevels(harmonics.levels()))
    }
    try self.init(pairs, minFrames: 10)
  }

  /// Compares a voice of which only harmonics are known, such as one inside a mix. Each of its clear
  /// harmonics is compared with the input's envelope.
  ///
  /// - Parameters:
  ///   - harmonics: of the output, at the output's times.
  ///   - inputTrack: pitch of the input.
  ///   - delaySeconds: delay of the output.
  public init(
    of harmonics: [HarmonicLevels], from input: Signal, _ inputTrack: PitchTrack,
    delaySeconds: Double
  ) throws(Unmeasurable) {
    let before = HarmonicEnvelope(of: input)
    var transform = FourierTransform(count: 4096)
    let pairs = harmonics.compactMap { frame -> Pair? in
      let time = frame.timeSeconds - delaySeconds
      guard frame.f0Hz < Self.highestHz, let f0Hz = inputTrack.f0Hz(atSeconds: time),
        f0Hz < Self.highestHz,
        let heard = before.harmonics(atSeconds: time, f0Hz: f0Hz, &transform)
      else { return nil }
      let points = frame.clear.compactMap { index in
        let step = HarmonicEnvelope.step(atHz: frame.frequencyHz(ofHarmonic: index + 1))
        // Harmonics crowd together on a logarithmic scale, which the weights even out.
        return step >= 0
          ? Point(step: step, levelDb: frame.levelsDb[index], weight: 1 / Double(index + 1)) : nil
      }
      guard points.count >= 4, points.last!.step - points[0].step >= Self.minSpan else {
        return nil
      }
      return .harmonics(input: heard.levels(), points)
    }
    try self.init(pairs, minFrames: 20)
  }

  fileprivate static let highestHz = 500.0
  /// Least range of harmonics that tell a shift.
  private static let minSpan = 1.5 * HarmonicEnvelope.stepsPerOctave

  /// A level of the output on the envelopes' scale of frequency.
  private struct Point {
    var step: Double
    var levelDb: Double
    var weight: Double
  }

  /// Input and output at one instant.
  private enum Pair {
    case envelopes(InterleavedLevels, InterleavedLevels)
    /// Levels of the input at each step, and clear harmonics of the output.
    case harmonics(input: [Double], [Point])
  }

  private init(_ pairs: [Pair], minFrames: Int) throws(Unmeasurable) {
    guard pairs.count >= minFrames else {
      throw Unmeasurable(
        .tooLittleVoice,
        "only \(pairs.count) frames show an envelope, \(minFrames) are needed; "
          + "use a longer or lower voice")
    }
    let reach = Int(1.25 * HarmonicEnvelope.stepsPerOctave)
    let correlations = (-reach...reach).map { Self.correlation(pairs, lag: $0) }
    let best = correlations.indices.dropFirst().dropLast()
      .max { correlations[$0] < correlations[$1] }!
    correlation = correlations[best]
    guard correlation >= 0.5 else {
      throw Unmeasurable(
        .differentShapes,
        "the envelopes don't match anywhere (correlation \((correlation * 100).rounded() / 100))")
    }
    let offset = peakOffset(correlations[best - 1], correlation, correlations[best + 1]) ?? 0
    ratio = exp2((Double(best - reach) + max(-1, min(1, offset))) / HarmonicEnvelope.stepsPerOctave)
    frameCount = pairs.count
  }

  /// The correlation over all pairs, with the input's envelope read `lag` steps lower.
  ///
  /// Mean and slope of the compared range are removed first: they don't move with an envelope and
  /// must not count as a match.
  private static func correlation(_ pairs: [Pair], lag: Int) -> Double {
    var total = (product: 0.0, squareA: 0.0, squareB: 0.0)
    var (compared, all) = (0.0, 0.0)
    for pair in pairs {
      var sums = LevelSums()
      switch pair {
      case .envelopes(let input, let output): sums = input.sums(with: output, lag: lag)
      case .harmonics(let input, let points):
        for point in points {
          all += point.weight
          let place = point.step - Double(lag)
          let below = Int(place.rounded(.down))
          guard below >= 0, below + 1 < input.count else { continue }
          let level = input[below] + (place - Double(below)) * (input[below + 1] - input[below])
          sums.take(level, point.levelDb, step: place, weight: point.weight)
          compared += point.weight
        }
      }
      guard let part = sums.withoutSlope else { continue }
      total.product += part.product
      total.squareA += part.squareA
      total.squareB += part.squareB
    }
    // Few levels match anywhere.
    guard compared >= 0.7 * all, total.squareA > 0, total.squareB > 0 else { return 0 }
    return total.product / (total.squareA * total.squareB).squareRoot()
  }
}

/// Weighted sums of two levels over steps.
struct LevelSums {
  var (w, x, xx, a, b, ax, bx, ab, aa, bb) = (
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
  )

  mutating func take(_ levelA: Double, _ levelB: Double, step: Double, weight: Double) {
    // From the middle of the range, so that the sums of squares keep their precision.
    let position = step - Double(HarmonicEnvelope.stepCount) / 2
    let (weightedA, weightedB) = (weight * levelA, weight * levelB)
    w += weight
    x += weight * position
    xx += weight * position * position
    a += weightedA
    b += weightedB
    ax += weightedA * position
    bx += weightedB * position
    ab += weightedA * levelB
    aa += weightedA * levelA
    bb += weightedB * levelB
  }

  /// Product and squares of the levels without mean and slope; `nil` of fewer than two steps.
  var withoutSlope: (product: Double, squareA: Double, squareB: Double)? {
    guard w > 0 else { return nil }
    let spread = xx - x * x / w
    guard spread > 0 else { return nil }
    let (slopeA, slopeB) = (ax - a * x / w, bx - b * x / w)
    return (
      ab - a * b / w - slopeA * slopeB / spread, aa - a * a / w - slopeA * slopeA / spread,
      bb - b * b / w - slopeB * slopeB / spread
    )
  }
}
