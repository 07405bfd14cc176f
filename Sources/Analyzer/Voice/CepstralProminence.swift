import DSP
import Foundation
import Statistics

/// Cepstral peak prominence, CPP and CPPS: the height of the power cepstrum's peak at the pitch
/// above the cepstrum's trend, in dB. It measures how regular and how free of breath a voice is.
///
/// 1. The spectrum, up to `maximumHz` and pre-emphasized, of frames of six periods of the floor
/// under a Gaussian. 2. The power cepstrum: the squared inverse transform of the logarithm of the
/// power spectrum. 3. For CPPS only: the trend is subtracted, values below it are cut off, and
/// means are taken over time and quefrency. 4. The highest value between the periods of ceiling and
/// floor, by a parabola, above the trend there.
///
/// The trend is a straight line of dB over the logarithm of quefrency, by Theil's incomplete
/// method.
///
/// - Domain: voices between floor and ceiling, of one singer; the defaults are Praat's, made for
///   speech. Silent frames are undefined.
/// - Cost: about 0.06 of real time. Allocates.
/// - Source: Hillenbrand, Cleveland and Erickson, "Acoustic correlates of breathy vocal quality",
///   JSHR 37, 1994; Hillenbrand and Houde, JSHR 39, 1996; Praat's "To PowerCepstrogram" and "Get
///   CPPS".
public struct CepstralProminence: Equatable, Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// Computes CPPS if true, CPP otherwise.
    public var isSmoothed = true
    public var floorHz = 60.0
    public var ceilingHz = 330.0
    public var hopMs = 2.0
    /// Upper end of the band, limited to 0.45 of the sample rate.
    public var maximumHz = 5000.0
    public var preEmphasisHz = 50.0
    /// Length of the mean over time.
    public var smoothingMs = 20.0
    /// Length of the mean over quefrency.
    public var quefrencySmoothingMs = 0.5
    /// Beginning of the range in which the trend is fitted.
    public var trendStartMs = 1.0
    /// End of the range in which the trend is fitted.
    public var trendEndMs = 50.0

    public init() {}

    /// Settings for voices up to C6, whose periods are shorter than the default mean over
    /// quefrency.
    public static var singing: Settings {
      var settings = Settings()
      settings.ceilingHz = 1100
      settings.maximumHz = 8000
      settings.quefrencySmoothingMs = 0.2
      settings.trendStartMs = 0.5
      return settings
    }

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...400)
      try require("ceilingHz", ceilingHz, in: floorHz * 1.5...2000)
      try require("hopMs", hopMs, in: 0.5...50)
      try require("maximumHz", maximumHz, in: 2 * ceilingHz...24_000)
      try require("preEmphasisHz", preEmphasisHz, in: 1...1000)
      try require("smoothingMs", smoothingMs, in: 0...200)
      try require("quefrencySmoothingMs", quefrencySmoothingMs, in: 0...5)
      try require("trendStartMs", trendStartMs, in: 0.1...10)
      try require("trendEndMs", trendEndMs, in: 2 * trendStartMs...100)
    }
  }

  /// Centre of the first frame; the others follow every `hopSeconds`.
  public let firstSeconds: Double
  public let hopSeconds: Double
  /// Prominence in each frame; `nil` in silence.
  public let decibels: [Double?]

  /// Centre of frame `index`.
  func seconds(_ index: Int) -> Double { firstSeconds + Double(index) * hopSeconds }

  /// Mean over the frames that have a value; `nil` if none has.
  public var meanDecibels: Double? { Statistics.mean(decibels.compactMap { $0 }) }

  public init(of signal: Signal, _ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    let cepstrogram = PowerCepstrogram(signal, settings)
    (firstSeconds, hopSeconds) = (cepstrogram.firstSeconds, settings.hopMs / 1000)
    let step = cepstrogram.quefrencySeconds
    let width = settings.smoothingMs / settings.hopMs
    // A frame is a kilobyte or more, so only one second of them is held at a time, with the
    // margins that the mean over time needs.
    let margin = settings.isSmoothed ? Int(width / 2) + 2 : 0
    let block = max(1, Int(1000 / settings.hopMs))
    var decibels: [Double?] = []
    for first in stride(from: 0, to: cepstrogram.count, by: block) {
      let own = first..<min(first + block, cepstrogram.count)
      let read = max(0, first - margin)..<min(cepstrogram.count, own.upperBound + margin)
      var frames = cepstrogram.frames(read)
      if settings.isSmoothed {
        frames = frames.map { frame in
          frame.map { Self.flattened($0, Trend(of: $0, step, settings), step) }
        }
        if width >= 2 { frames = Self.smoothedOverTime(frames, width) }
        let bins = settings.quefrencySmoothingMs / 1000 / step
        if bins >= 2 {
          frames = frames.map { $0.map { MovingMean(width: bins).applied(to: $0) } }
        }
      }
      decibels += frames[own.lowerBound - read.lowerBound..<own.upperBound - read.lowerBound].map {
        $0.flatMap { Self.prominence($0, step, settings) }
      }
    }
    self.decibels = decibels
  }

  /// The power above the trend.
  private static func flattened(_ power: [Double], _ trend: Trend, _ step: Double) -> [Double] {
    power.enumerated().map { index, value in
      let quefrency = index == 0 ? step / 2 : Double(index) * step
      return pow(10, max(0, decibels(value) - trend.decibels(at: quefrency)) / 10)
    }
  }

  private static func smoothedOverTime(_ frames: [[Double]?], _ width: Double) -> [[Double]?] {
    // Silence separates runs; means are taken within a run.
    var smoothed = frames
    for run in frames.indices.split(whereSeparator: { frames[$0] == nil }) {
      for bin in frames[run.startIndex]!.indices {
        let mean = MovingMean(width: width).applied(to: run.map { frames[$0]![bin] })
        for (place, frame) in run.enumerated() { smoothed[frame]![bin] = mean[place] }
      }
    }
    return smoothed
  }

  private static func prominence(_ power: [Double], _ step: Double, _ settings: Settings) -> Double?
  {
    let lowest = Int((1 / settings.ceilingHz / step).rounded(.up))
    let highest = min(Int(1 / settings.floorHz / step), power.count - 2)
    guard lowest >= 1, lowest <= highest else { return nil }
    let peak = (lowest...highest).max { power[$0] < power[$1] }!
    let (a, b, c) = (decibels(power[peak - 1]), decibels(power[peak]), decibels(power[peak + 1]))
    let isPeak = b >= a && b > c
    let offset = isPeak ? (a - c) / (2 * (a - 2 * b + c)) : 0
    let height = b - (a - c) * offset / 4
    let trend = Trend(of: power, step, settings)
    return height - trend.decibels(at: (Double(peak) + offset) * step)
  }

  fileprivate static func decibels(_ power: Double) -> Double { 10 * log10(power + 1e-30) }

  /// A straight line of decibels over the logarithm of quefrency.
  private struct Trend {
    private var slope = 0.0
    private var intercept = 0.0

    /// Fits by Theil's incomplete method: the median slope between points half the range apart, and
    /// the median of the remainders.
    init(of power: [Double], _ step: Double, _ settings: Settings) {
      let first = max(1, Int((settings.trendStartMs / 1000 / step - 1e-6).rounded(.up)))
      let last = min(Int(settings.trendEndMs / 1000 / step + 1e-6), power.count - 1)
      let points = (first...max(first, last)).map { index in
        (log(Double(index) * step), CepstralProminence.decibels(power[index]))
      }
      let half = points.count / 2
      let pairs = zip(points.prefix(half), points.suffix(half))
      slope = Statistics.median(pairs.map { ($1.1 - $0.1) / ($1.0 - $0.0) }) ?? 0
      intercept = Statistics.median(points.map { $0.1 - slope * $0.0 }) ?? 0
    }

    func decibels(at quefrency: Double) -> Double { slope * log(quefrency) + intercept }
  }
}
