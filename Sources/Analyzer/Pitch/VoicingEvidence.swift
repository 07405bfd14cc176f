import Foundation

/// Evidence for a voice in one frame: its period, its harmonics, its level beside that of the sound before
/// and after, and the room (`RoomDecay.values`).
struct VoicingEvidence {
  /// Number of values that describe a frame, without those of the network of noisy frames.
  static let count = 48 + RoomDecay.count

  /// Values that the networks weigh, then those that only the network of noisy frames does.
  let values: [Float]
  /// The weight of that network (`PitchFrame.Candidate`).
  var harmonicsWeight = 0.0

  /// Correlations of the chosen period (`PitchFrame.Candidate`), 0 without one.
  var correlation: Double { Double(values[0]) }
  var nearCorrelation: Double { Double(values[1]) }
  var persistence: Double { Double(values[2]) }
  /// Correlation of the refiner over its own short stretch, 0 if it found no period.
  var refined: Double { Double(values[3]) }
  /// Level relative to the loud parts of the sound.
  var levelDb: Double { Double(values[6]) }
  /// Level relative to the loudest of the last quarter of a second: echoes are low.
  var fallDb: Double { Double(values[9]) }
  /// Reverberation time of the recording in seconds.
  var reverberationSeconds: Double { exp(Double(values[Self.count - 2])) }
  /// Share of the power that exceeds the sound's noise.
  var shareAboveNoise: Double { Double(values[23]) }

  /// Reach of the comparison with the loudest before and after.
  private static let (fallSeconds, longFallSeconds, riseSeconds) = (0.25, 0.8, 0.15)
  /// Share of the sounding frames that are no louder than the loud parts, and than the quiet ones.
  private static let (loudShare, quietShare) = (0.95, 0.1)
  private static let minLevelDb = -70.0
  /// Power relative to the loudest that is silence: levels are limited far above.
  private static let silence = 1e-10

  /// Returns the evidence of each frame.
  static func all(
    _ frames: [ChosenFrame], _ measured: [PeriodRefiner.Measurement?], hopSeconds: Double
  ) -> [VoicingEvidence] {
    let floor = silence * frames.reduce(0) { max($0, $1.power) } + .leastNormalMagnitude
    let levels = frames.map { 10 * log10($0.power + floor) }
    let near = frames.map { 10 * log10($0.nearPower + floor) }
    let sounding = levels.indices.filter { frames[$0].power > 0 }.map { levels[$0] }.sorted()
    guard !sounding.isEmpty else {
      return frames.map { _ in VoicingEvidence(values: [Float](repeating: 0, count: count)) }
    }
    func level(_ share: Double) -> Double {
      sounding[min(sounding.count - 1, Int(Double(sounding.count) * share))]
    }
    let (loud, middle, quiet) = (level(loudShare), level(0.5), level(quietShare))
    let peaks = [fallSeconds, longFallSeconds].map { seconds in
      maxima(levels, behind: Int((seconds / hopSeconds).rounded()))
    }
    let ahead = maxima(levels.reversed(), behind: Int((riseSeconds / hopSeconds).rounded()))
    let correlations = frames.indices.map { i in
      SIMD2(frames[i].candidate?.correlation ?? 0, max(measured[i]?.correlation ?? 0, 0))
    }
    let nears = frames.map { $0.candidate?.nearCorrelation ?? 0 }
    func at(_ i: Int, _ seconds: Double) -> Int {
      min(max(i + Int((seconds / hopSeconds).rounded()), 0), frames.count - 1)
    }
    let room = RoomDecay(frames.map(\.bands), hopSeconds: hopSeconds).values()
    func octaves(_ i: Int) -> Double? { frames[i].candidate.map { log2($0.f0Hz) } }
    return frames.indices.map { i in
      let (frame, candidate) = (frames[i], frames[i].candidate)
      let (correlation, refined) = (correlations[i].x, correlations[i].y)
      let harmonics =
        candidate?.evidence
        ?? [Float](repeating: CandidateEvidence.minLog, count: CandidateEvidence.valueCount)
      func step(_ seconds: Double) -> Double {
        guard let a = octaves(i), let b = octaves(at(i, seconds)) else { return 0.2 }
        return min(abs(a - b), 0.2)
      }
      func rise(_ values: [Double], _ seconds: Double) -> Double {
        min(max(values[at(i, seconds)] - values[i], -30), 30)
      }
      let values: [Double] = [
        correlation, candidate?.nearCorrelation ?? 0, candidate?.persistence ?? 0, refined,
        -log(1.003 - min(correlation, 1)), -log(1.003 - min(refined, 1)),
        max(levels[i] - loud, minLevelDb), max(levels[i] - middle, minLevelDb),
        min(max(levels[i] - quiet, -20), 70),
        max(levels[i] - peaks[0][i], -50), max(levels[i] - peaks[1][i], -60),
        max(levels[i] - ahead[frames.count - 1 - i], -50),
        rise(levels, -0.03), rise(levels, 0.03), rise(levels, -0.1), rise(levels, 0.1),
        rise(near, -0.01), rise(near, 0.01), rise(near, -0.02), rise(near, 0.02), rise(near, -0.04),
        rise(near, 0.04), near[i] - levels[i],
        frame.shareAboveNoise, max(0, 0.2 - frame.shareAboveNoise), min(max(frame.logOdds, -5), 15),
        octaves(i).map { $0 - log2(200) } ?? -3, step(-0.01), step(0.01), step(-0.03), step(0.03),
        correlations[at(i, -0.02)].x, correlations[at(i, 0.02)].x, correlations[at(i, -0.02)].y,
        correlations[at(i, 0.02)].y, correlations[at(i, -0.05)].y, correlations[at(i, 0.05)].y,
        correlations[at(i, -0.01)].y, correlations[at(i, 0.01)].y, nears[at(i, -0.01)],
        nears[at(i, 0.01)],
        nears[at(i, -0.02)], nears[at(i, 0.02)], rise(near, -0.005), rise(near, 0.005),
      ]
      return VoicingEvidence(
        values: values.map { Float($0) } + [harmonics[6], harmonics[10], harmonics[12]] + room[i]
          + harmonics.dropFirst(CandidateEvidence.valueCount),
        harmonicsWeight: candidate?.harmonicsWeight ?? 0)
    }
  }

  /// The maximum of each value and the `count` before it.
  private static func maxima(_ values: [Double], behind count: Int) -> [Double] {
    var window: [Int] = []  // indices of falling values
    var first = 0
    return values.indices.map { i in
      while window.count > first, values[window.last!] <= values[i] { window.removeLast() }
      window.append(i)
      while window[first] < i - count { first += 1 }
      return values[window[first]]
    }
  }
}
