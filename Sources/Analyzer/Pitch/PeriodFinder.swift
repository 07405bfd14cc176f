import DSP
import Foundation

/// Proposes periods frame by frame, and rates them: peaks of the autocorrelation over a long window, which
/// is robust in noise, and over a short one, which separates quick notes. Where neither repeats clearly, peaks of the
/// sums of harmonics too: they stand out of breath.
struct PeriodFinder: ~Copyable {
  /// Sample rate of the search: enough for the harmonics that carry the pitch, fast, and without
  /// hiss.
  static let sampleRateHz = 8_000.0
  private static let maxCandidates = 12
  /// Advantage in correlation of a candidate an octave higher where there are more: noise favours multiples.
  private static let octaveAdvantage = 0.02
  /// Length of the long window in periods of the floor: 55 ms. (Boersma takes three.)
  static let windowPeriods = 2.5
  /// Ratio of the short window's floor to the long one's, and its length: 20 ms.
  private static let (shortening, shortPeriods) = (10.0 / 3, 3.0)

  /// Correlations between which a voice begins to repeat clearly. The sums of harmonics are left out then: notes run
  /// together in their window of 110 ms. With 0.95 yodels lose .006, with 0.7 breath .07 of accuracy
  /// (docs/notes/pitch.md).
  private static let (noisyCorrelation, clearCorrelation) = (0.8, 0.9)

  private let settings: PitchTracker.Settings
  private var long: FrameCorrelation
  private var short: FrameCorrelation
  private var harmonics: SubharmonicSummation
  private var evidence = CandidateEvidence(
    maxCandidates: maxCandidates + SubharmonicSummation.maxPeaks)
  private let network = SmallNetwork(.periods)
  private let noisyNetwork = SmallNetwork(.noisyPeriods)

  init(_ settings: PitchTracker.Settings, noise: NoiseFloor) {
    self.settings = settings
    long = FrameCorrelation(
      floorHz: settings.floorHz, windowSeconds: Self.windowPeriods / settings.floorHz,
      sampleRateHz: Self.sampleRateHz, noise: noise)
    let shortFloorHz = min(settings.floorHz * Self.shortening, settings.ceilingHz / 2)
    short = FrameCorrelation(
      floorHz: shortFloorHz, windowSeconds: Self.shortPeriods / shortFloorHz,
      sampleRateHz: Self.sampleRateHz)
    harmonics = SubharmonicSummation(
      floorHz: settings.floorHz, ceilingHz: settings.ceilingHz,
      windowSeconds: 2 * Self.windowPeriods / settings.floorHz, sampleRateHz: Self.sampleRateHz)
  }

  /// Returns the candidates of the frame around a sample.
  mutating func frame(around centre: Int, in samples: borrowing PaddedSamples) -> PitchFrame {
    var frame = PitchFrame()
    let sounds = long.correlate(samples, around: centre)
    frame.bands = long.bands
    guard sounds else { return frame }
    frame.power = Double(long.power)
    frame.shareAboveNoise = Double(long.shareAboveNoise)
    let hasShort = short.correlate(samples, around: centre)
    frame.nearPower = Double(short.power)
    let nearValues = hasShort ? short.values : []
    frame.candidates = candidates(long.values, nearValues)
    let clearest = frame.candidates.reduce(0) { max($0, $1.correlation, $1.nearCorrelation) }
    let noise = min(
      max((Self.clearCorrelation - clearest) / (Self.clearCorrelation - Self.noisyCorrelation), 0),
      1)
    if noise > 0 {
      harmonics.sum(samples, around: centre)
      frame.candidates += harmonicCandidates(besides: frame.candidates, nearValues)
    }
    describe(&frame, harmonicsWeight: noise)
    return frame
  }

  private func harmonicCandidates(
    besides found: [PitchFrame.Candidate], _ nearValues: [Float]
  ) -> [PitchFrame.Candidate] {
    harmonics.peaks().filter { f0Hz in !found.contains { abs($0.f0Hz / f0Hz - 1) < 0.03 } }.map {
      let lag = lagRate / $0
      let correlation = Double(long.values[Int(lag.rounded())])
      return candidate(lag: lag, correlation: correlation, near: nil, long.values, nearValues)
    }
  }

  private mutating func describe(_ frame: inout PitchFrame, harmonicsWeight: Double) {
    evidence.removeAll()
    for candidate in frame.candidates {
      let lag = lagRate / candidate.f0Hz
      evidence.add(
        CandidateEvidence.Candidate(
          f0Hz: candidate.f0Hz, correlation: candidate.correlation,
          nearCorrelation: candidate.nearCorrelation, persistence: candidate.persistence,
          atFractions: SIMD4(
            longCorrelation(lag / 2), longCorrelation(lag / 3), longCorrelation(lag * 2 / 3),
            longCorrelation(lag * 1.5))))
    }
    evidence.describe(
      by: RealtimeArray(long.powers.map { SIMD2($0, $0.squareRoot()) }),
      hzPerBin: Float(long.hzPerBin), total: long.powers.reduce(0, +),
      shareAboveNoise: long.shareAboveNoise)
    for index in frame.candidates.indices {
      var candidate = frame.candidates[index]
      let start = index * CandidateEvidence.valueCount
      candidate.evidence = (start..<start + CandidateEvidence.valueCount).map {
        evidence.values[$0]
      }
      if harmonicsWeight > 0 { candidate.evidence += harmonics.values(ofHz: candidate.f0Hz) }
      candidate.harmonicsWeight = harmonicsWeight
      candidate.strength = network.value(
        of: candidate.evidence, noisyNetwork, weight: harmonicsWeight)
      frame.candidates[index] = candidate
    }
  }

  /// The highest long correlation around a lag; 0 beyond the lags.
  private func longCorrelation(_ lag: Double) -> Float {
    let at = Int(lag.rounded())
    guard at + 1 < long.values.count else { return 0 }
    return max(long.values[at - 1], long.values[at], long.values[at + 1])
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
    func rank(_ c: PitchFrame.Candidate) -> Double {
      max(c.correlation, c.nearCorrelation - 0.05) + Self.octaveAdvantage * log2(c.f0Hz)
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
    let longest = min(Int(lagRate / floorHz), correlation.count - 2 * FrameCorrelation.oversampling)
    var found: [(lag: Double, height: Double)] = []
    guard shortest < longest else { return found }
    for lag in shortest...longest {
      let (a, b, c) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
      guard b > a, b >= c, b > 0.15 else { continue }
      let offset = peakOffset(a, b, c) ?? 0
      let height = b - (a - c) * offset / 4
      let place = Double(lag) + Double(offset)
      guard floorHz...ceilingHz ~= lagRate / place else { continue }
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
