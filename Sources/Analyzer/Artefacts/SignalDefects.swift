import DSP
import Foundation

/// What is plainly wrong with a signal: samples that are not numbers, a direct part, clipping,
/// gaps, and the noise where it should be quiet.
///
/// Counts and times need no model of the voice and no reference. Samples that are not finite are
/// counted and otherwise passed over.
///
/// - Cost: about 0.001 of real time. Allocates one level per 10 ms.
public struct SignalDefects: Codable, Equatable, Sendable {
  /// What counts as a defect.
  public struct Settings: Codable, Equatable, Sendable {
    /// Samples side by side at one level, that of a peak, which make a clip.
    public var leastClipSamples = 3
    /// Peaks below this level are no clips, however flat.
    public var leastClipDbfs = -20.0
    /// Exact zeros between sound that make a gap.
    public var leastDropoutMs = 1.0
    /// How loud the sound beside a gap must be, at its end or its beginning, over 5 ms.
    public var leastBesideDropoutDbfs = -60.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("leastClipSamples", Double(leastClipSamples), in: 2...1000)
      try require("leastClipDbfs", leastClipDbfs, in: -120...0)
      try require("leastDropoutMs", leastDropoutMs, in: 0.05...1000)
      try require("leastBesideDropoutDbfs", leastBesideDropoutDbfs, in: -120...0)
    }
  }

  /// A stretch of time.
  public struct Stretch: Codable, Equatable, Sendable {
    public var startSeconds: Double
    public var durationMs: Double
  }

  /// Samples that are NaN or infinite.
  public var nonFiniteCount = 0
  /// Where they lie, those side by side as one stretch.
  public var nonFinite: [Stretch] = []
  /// The mean of all finite samples; full scale is 1.
  public var dcOffset = 0.0
  /// Flat tops: runs of equal samples (within 1e-6 of full scale) higher than both neighbours.
  public var clips: [Stretch] = []
  /// The share of samples that lie in `clips`.
  public var clippedShare = 0.0
  /// Gaps of exact zeros in the midst of sound.
  public var dropouts: [Stretch] = []
  /// The level of the quietest tenth of all frames of 10 ms; `nil` where they are digital silence
  /// or there are fewer than ten frames. In a sound without pauses this is the level of the sound.
  public var noiseFloorDbfs: Double?

  /// - Throws: a setting that makes no sense.
  public init(of signal: Signal, _ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    let rateHz = signal.sampleRateHz
    let samples = signal.samples
    nonFinite = Self.runs(samples.indices) { !samples[$0].isFinite }
      .map { Self.stretch($0, rateHz) }
    nonFiniteCount = samples.count { !$0.isFinite }
    let finite = samples.count - nonFiniteCount
    if finite > 0 {
      dcOffset = samples.reduce(0.0) { $1.isFinite ? $0 + Double($1) : $0 } / Double(finite)
    }
    let flat = Self.flatTops(samples, settings)
    clips = flat.map { Self.stretch($0, rateHz) }
    if !samples.isEmpty {
      clippedShare = Double(flat.reduce(0) { $0 + $1.count }) / Double(samples.count)
    }
    dropouts = Self.gaps(signal, settings).map { Self.stretch($0, rateHz) }
    noiseFloorDbfs = Self.noiseFloorDbfs(signal)
  }

  private static func flatTops(_ samples: [Float], _ settings: Settings) -> [Range<Int>] {
    let least = Float(pow(10, settings.leastClipDbfs / 20))
    var found: [Range<Int>] = []
    var start = 0
    for i in 1..<max(samples.count + 1, 1) {
      if i < samples.count, abs(samples[i] - samples[start]) <= 1e-6 { continue }
      let level = samples[start]
      if i - start >= settings.leastClipSamples, level.isFinite, abs(level) >= least {
        let before = start > 0 ? samples[start - 1] : 0
        let after = i < samples.count ? samples[i] : 0
        // A plateau within a slope, such as a held sample, is no top.
        if level > 0 ? before < level && after < level : before > level && after > level {
          found.append(start..<i)
        }
      }
      start = i
    }
    return found
  }

  private static func gaps(_ signal: Signal, _ settings: Settings) -> [Range<Int>] {
    let samples = signal.samples
    let beside = max(1, Int(0.005 * signal.sampleRateHz))
    let least = max(2, Int((settings.leastDropoutMs / 1000 * signal.sampleRateHz).rounded()))
    let threshold = pow(10, settings.leastBesideDropoutDbfs / 20)
    func level(_ range: Range<Int>) -> Double {
      let range = range.clamped(to: samples.indices)
      guard !range.isEmpty else { return 0 }
      let energy = samples[range].reduce(0.0) { $1.isFinite ? $0 + Double($1) * Double($1) : $0 }
      return (energy / Double(range.count)).squareRoot()
    }
    return runs(samples.indices) { samples[$0] == 0 }.filter { run in
      guard run.count >= least, run.lowerBound > 0, run.upperBound < samples.count else {
        return false
      }
      // A sound that fades before it rests, and starts softly after, was meant to rest: a gap has
      // a sharp edge, one whose last sample is no smaller than its surroundings would have it.
      let before = level(run.lowerBound - beside..<run.lowerBound)
      let after = level(run.upperBound..<run.upperBound + beside)
      let last = level(run.lowerBound - max(1, beside / 10)..<run.lowerBound)
      let first = level(run.upperBound..<run.upperBound + max(1, beside / 10))
      return (before >= threshold && last > before / 4) || (after >= threshold && first > after / 4)
    }
  }

  private static func noiseFloorDbfs(_ signal: Signal) -> Double? {
    let length = max(1, Int((0.01 * signal.sampleRateHz).rounded()))
    // The filter rings into digital silence, which stays silence.
    let heard = signal.withoutInfrasound().samples
    let powers = stride(from: 0, through: signal.count - length, by: length).map { start in
      (start..<start + length).reduce(0.0) { sum, i in
        signal.samples[i].isFinite && signal.samples[i] != 0
          ? sum + Double(heard[i]) * Double(heard[i]) : sum
      } / Double(length)
    }
    guard powers.count >= 10 else { return nil }
    let quiet = powers.sorted().prefix(powers.count / 10)
    let mean = quiet.reduce(0, +) / Double(quiet.count)
    return mean > 0 ? 10 * log10(mean) : nil
  }

  private static func runs(_ indices: Range<Int>, where isPart: (Int) -> Bool) -> [Range<Int>] {
    var (runs, start): ([Range<Int>], Int?) = ([], nil)
    for i in indices {
      if isPart(i) {
        start = start ?? i
      } else if let from = start {
        runs.append(from..<i)
        start = nil
      }
    }
    if let from = start { runs.append(from..<indices.upperBound) }
    return runs
  }

  private static func stretch(_ range: Range<Int>, _ rateHz: Double) -> Stretch {
    Stretch(
      startSeconds: Double(range.lowerBound) / rateHz,
      durationMs: Double(range.count) / rateHz * 1000)
  }
}
