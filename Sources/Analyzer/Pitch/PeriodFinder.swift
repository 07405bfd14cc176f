import Foundation

/// Proposes periods frame by frame: peaks of the autocorrelation over a long window, which is
/// robust in noise, and over a short one, which separates quick notes.
struct PeriodFinder: ~Copyable {
  /// Sample rate of the search: enough for the harmonics that carry the pitch, fast, and without
  /// hiss.
  static let sampleRateHz = 8_000.0
  private static let mostCandidates = 8
  /// Ratio of the short window's floor to the long one's.
  private static let shortening = 2.5
  /// Share of the power above the noise from which weak harmonics can be told from noise: 13 dB.
  private static let leastStanding = 0.95

  private let settings: PitchTracker.Settings
  private var long: FrameCorrelation
  private var short: FrameCorrelation

  init(_ settings: PitchTracker.Settings, noise: NoiseFloor) {
    self.settings = settings
    long = FrameCorrelation(
      floorHz: settings.floorHz, sampleRateHz: Self.sampleRateHz, noise: noise)
    short = FrameCorrelation(
      floorHz: min(settings.floorHz * Self.shortening, settings.ceilingHz / 2),
      sampleRateHz: Self.sampleRateHz)
  }

  /// Returns the candidates of the frame around a sample.
  mutating func frame(around centre: Int, in samples: borrowing PaddedSamples) -> PitchFrame {
    var frame = PitchFrame()
    guard long.correlate(samples, around: centre) else { return frame }
    frame.power = Double(long.power)
    frame.standing = Double(long.standing)
    let hasShort = short.correlate(samples, around: centre)
    frame.candidates = candidates(long.values, hasShort ? short.values : [])
    if frame.standing > Self.leastStanding {
      for index in frame.candidates.indices {
        frame.candidates[index].isMultiple = frame.candidates.contains {
          $0.divides(frame.candidates[index])
        }
      }
    }
    return frame
  }

  private func candidates(_ long: [Float], _ short: [Float]) -> [PitchFrame.Candidate] {
    var found: [PitchFrame.Candidate] = []
    for (lag, height) in peaks(of: long) {
      found.append(candidate(lag: lag, correlation: height, near: nil, long, short))
    }
    if !short.isEmpty {
      for (lag, height) in peaks(of: short) {
        if let i = found.firstIndex(where: { abs($0.f0Hz * lag / lagRate - 1) < 0.03 }) {
          found[i].nearCorrelation = max(found[i].nearCorrelation, height)
        } else {
          let at = Int(lag.rounded())
          found.append(
            candidate(lag: lag, correlation: Double(long[at]), near: height, long, short))
        }
      }
    }
    func rank(_ c: PitchFrame.Candidate) -> Double {
      c.strength + settings.octaveCost * log2(c.f0Hz)
    }
    if found.count > Self.mostCandidates {
      found.sort { rank($0) > rank($1) }
      found.removeLast(found.count - Self.mostCandidates)
    }
    return found
  }

  private var lagRate: Double { Self.sampleRateHz * Double(FrameCorrelation.oversampling) }

  private func candidate(
    lag: Double, correlation: Double, near: Double?, _ long: [Float], _ short: [Float]
  ) -> PitchFrame.Candidate {
    let at = Int(lag.rounded())
    let near = near ?? (at < short.count - 4 ? Double(short[at]) : correlation)
    return PitchFrame.Candidate(
      f0Hz: lagRate / lag, correlation: correlation, nearCorrelation: near,
      persistence: persistence(of: lag, in: long))
  }

  /// Lag and height of each maximum between the shortest and the longest period.
  private func peaks(of correlation: [Float]) -> [(lag: Double, height: Double)] {
    let shortest = max(2, Int(lagRate / settings.ceilingHz))
    let longest = min(
      Int(lagRate / settings.floorHz), correlation.count - 2 * FrameCorrelation.oversampling)
    var found: [(lag: Double, height: Double)] = []
    guard shortest < longest else { return found }
    for lag in shortest...longest {
      let (a, b, c) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
      guard b > a, b >= c, b > 0.2 else { continue }
      let offset = (a - c) / (2 * (a - 2 * b + c))
      let height = b - (a - c) * offset / 4
      let place = Double(lag) + Double(offset)
      guard settings.floorHz...settings.ceilingHz ~= lagRate / place else { continue }
      // A peak above 1 comes from noise in the division; its mirror image is as likely.
      found.append((place, Double(height > 1 ? 1 / height : height)))
    }
    return found
  }

  /// The correlation at the last multiple of a period within the lags; 1 if there is no multiple.
  private func persistence(of period: Double, in correlation: [Float]) -> Double {
    let longest = correlation.count - 4
    let multiple = (Double(longest) / period).rounded(.down)
    guard multiple > 1 else { return 1 }
    let centre = Int((multiple * period).rounded())
    // An error of half a lag in the period, or a gliding pitch, moves the multiple.
    let reach = Int(multiple / 2) + 2
    var most: Float = 0
    for lag in max(0, centre - reach)...min(correlation.count - 1, centre + reach) {
      most = max(most, correlation[lag])
    }
    return Double(most)
  }
}

extension PitchFrame.Candidate {
  /// Returns true if the other period is a multiple of this one and fits no better: its odd harmonics,
  /// or all but each third, have less than 0.3 % of the power. In five recordings, shifted by four
  /// engines, the odd harmonics of the weakest frame had 0.34 %, those of most 10 % and more.
  fileprivate func divides(_ other: Self) -> Bool {
    let ratio = f0Hz / other.f0Hz
    let number = ratio.rounded()
    return number >= 2 && abs(ratio / number - 1) < 0.01
      && other.correlation > 0.9 && correlation > 0.994 * other.correlation
  }
}
