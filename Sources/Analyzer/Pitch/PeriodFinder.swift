import DSP
import Foundation

/// Proposes periods frame by frame: peaks of the autocorrelation over a long window, which is
/// robust in noise, and over a short one, which separates quick notes. Where neither repeats well, a window
/// twice as long shows very low pitches.
struct PeriodFinder: ~Copyable {
  /// Sample rate of the search: enough for the harmonics that carry the pitch, fast, and without
  /// hiss.
  static let sampleRateHz = 8_000.0
  private static let maxCandidates = 8
  /// Ratio of the short window's floor to the long one's.
  private static let shortening = 2.5
  /// Share of the power above the noise from which weak harmonics can be told from noise: 13 dB.
  private static let minShareAboveNoise = 0.95

  /// Pitch above which few voices sing, while many have a formant. A higher pitch must therefore explain
  /// as much as a lower one, within `rareShare` of its correlation, and repeat four times.
  private static let rareHz = 1200.0
  private static let rareShare = 0.97
  /// Minimum correlation after two, three and four periods, relative to that after one. It is read at
  /// whole lags, which misses up to a fifth of a third harmonic.
  private static let minRepeated = 0.7
  private static let minRareCorrelation = 0.5
  /// Amount by which a pitch below `floorHz` must correlate better than any above: twice a period repeats
  /// as well as the period, and hum repeats best.
  private static let deepCost = 0.15

  private let settings: PitchTracker.Settings
  private var long: FrameCorrelation
  private var short: FrameCorrelation
  private var deep: FrameCorrelation

  init(_ settings: PitchTracker.Settings, noise: (long: NoiseFloor, deep: NoiseFloor)) {
    self.settings = settings
    long = FrameCorrelation(
      floorHz: settings.floorHz, sampleRateHz: Self.sampleRateHz, noise: noise.long)
    deep = FrameCorrelation(
      floorHz: settings.deepFloorHz, sampleRateHz: Self.sampleRateHz, noise: noise.deep)
    short = FrameCorrelation(
      floorHz: min(settings.floorHz * Self.shortening, settings.ceilingHz / 2),
      sampleRateHz: Self.sampleRateHz)
  }

  /// Returns the candidates of the frame around a sample.
  mutating func frame(around centre: Int, in samples: borrowing PaddedSamples) -> PitchFrame {
    var frame = PitchFrame()
    guard long.correlate(samples, around: centre) else { return frame }
    frame.power = Double(long.power)
    frame.shareAboveNoise = Double(long.shareAboveNoise)
    let hasShort = short.correlate(samples, around: centre)
    frame.candidates = candidates(long.values, hasShort ? short.values : [])
    addDeepCandidates(to: &frame, around: centre, in: samples)
    if frame.shareAboveNoise > Self.minShareAboveNoise {
      for index in frame.candidates.indices {
        frame.candidates[index].isMultiple = frame.candidates.contains {
          $0.divides(frame.candidates[index])
        }
      }
    }
    return frame
  }

  /// Adds pitches of less than `floorHz` that repeat better than all others.
  private mutating func addDeepCandidates(
    to frame: inout PitchFrame, around centre: Int, in samples: borrowing PaddedSamples
  ) {
    let best = frame.candidates.lazy.map(\.strength).max() ?? 0
    guard best < 1 - Self.deepCost, deep.correlate(samples, around: centre) else { return }
    for (lag, height) in peaks(of: deep.values, from: settings.deepFloorHz, to: settings.floorHz)
    where height - Self.deepCost > best {
      let correlation = height - Self.deepCost
      frame.candidates.append(
        PitchFrame.Candidate(
          f0Hz: lagRate / lag, correlation: correlation, nearCorrelation: correlation,
          persistence: 0))
    }
  }

  private func candidates(_ long: [Float], _ short: [Float]) -> [PitchFrame.Candidate] {
    var found: [PitchFrame.Candidate] = []
    for (lag, height) in peaks(of: long, from: settings.floorHz, to: settings.ceilingHz) {
      found.append(candidate(lag: lag, correlation: height, near: nil, long, short))
    }
    if !short.isEmpty {
      for (lag, height) in peaks(of: short, from: settings.floorHz, to: settings.ceilingHz) {
        if let i = found.firstIndex(where: { abs($0.f0Hz * lag / lagRate - 1) < 0.03 }) {
          found[i].nearCorrelation = max(found[i].nearCorrelation, height)
        } else {
          let at = Int(lag.rounded())
          found.append(
            candidate(lag: lag, correlation: Double(long[at]), near: height, long, short))
        }
      }
    }
    let best = found.lazy.filter { $0.f0Hz <= Self.rareHz }.map(\.correlation).max() ?? 0
    let minRare = max(Self.minRareCorrelation, Self.rareShare * best)
    found.removeAll {
      $0.f0Hz > Self.rareHz
        && ($0.correlation < minRare
          || minRepeated($0, in: long) < Self.minRepeated * $0.correlation)
    }
    func rank(_ c: PitchFrame.Candidate) -> Double {
      c.strength + settings.octaveCost * log2(c.f0Hz)
    }
    if found.count > Self.maxCandidates {
      found.sort { rank($0) > rank($1) }
      found.removeLast(found.count - Self.maxCandidates)
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

  /// Lag and height of each maximum between the periods of two frequencies.
  private func peaks(
    of correlation: [Float], from floorHz: Double, to ceilingHz: Double
  ) -> [(lag: Double, height: Double)] {
    let shortest = max(2, Int(lagRate / ceilingHz))
    let longest = min(
      Int(lagRate / floorHz), correlation.count - 2 * FrameCorrelation.oversampling)
    var found: [(lag: Double, height: Double)] = []
    guard shortest < longest else { return found }
    for lag in shortest...longest {
      let (a, b, c) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
      guard b > a, b >= c, b > 0.2 else { continue }
      let offset = peakOffset(a, b, c) ?? 0
      let height = b - (a - c) * offset / 4
      let place = Double(lag) + Double(offset)
      guard floorHz...ceilingHz ~= lagRate / place else { continue }
      // A peak above 1 comes from noise in the division; its mirror image is as likely.
      found.append((place, Double(height > 1 ? 1 / height : height)))
    }
    return found
  }

  /// The lowest correlation after two, three and four periods.
  private func minRepeated(_ candidate: PitchFrame.Candidate, in correlation: [Float]) -> Double {
    let period = lagRate / candidate.f0Hz
    return (2...4).map { multiple in
      let centre = Int((Double(multiple) * period).rounded())
      let near = centre - 1 - multiple / 2...centre + 1 + multiple / 2
      return Double(correlation[near.clamped(to: 0...correlation.count - 1)].max()!)
    }.min()!
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
