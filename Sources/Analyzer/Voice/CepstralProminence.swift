import DSP
import Foundation
import Statistics

/// Smoothed cepstral peak prominence, CPPS: the height of the power cepstrum's peak at the pitch above
/// the cepstrum's trend, in dB. It measures how regular and how free of breath a voice is.
///
/// 1. The spectrum, up to `maximumHz` and pre-emphasized, of frames of six periods of the floor
/// under a Gaussian. 2. The power cepstrum: the squared inverse transform of the logarithm of the
/// power spectrum. 3. The trend is subtracted, values below it are cut off, and means are taken over
/// time and quefrency. 4. The highest value between the periods of ceiling and floor, by a parabola,
/// above the trend there.
///
/// The trend is a straight line of dB over the logarithm of quefrency, by Theil's incomplete
/// method.
///
/// - Domain: voices between floor and ceiling, of one singer. Silent frames are undefined.
/// - Cost: about 0.06 of real time. Allocates.
/// - Source: Hillenbrand, Cleveland and Erickson, "Acoustic correlates of breathy vocal quality",
///   JSHR 37, 1994; Hillenbrand and Houde, JSHR 39, 1996; Praat's "To PowerCepstrogram" and "Get
///   CPPS".
public struct CepstralProminence: Equatable, Sendable {
  /// Settings that depend on the range of the voice.
  public struct VoiceRange: Sendable {
    let ceilingHz: Double
    /// Upper end of the band, limited to 0.45 of the sample rate.
    let maximumHz: Double
    /// Length of the mean over quefrency.
    let quefrencySmoothingMs: Double
    /// Beginning of the range in which the trend is fitted.
    let trendStartMs: Double

    /// Praat's defaults.
    public static let speech = VoiceRange(
      ceilingHz: 330, maximumHz: 5000, quefrencySmoothingMs: 0.5, trendStartMs: 1)
    /// Voices up to C6, whose periods are shorter than the mean over quefrency of speech.
    public static let singing = VoiceRange(
      ceilingHz: 1100, maximumHz: 8000, quefrencySmoothingMs: 0.2, trendStartMs: 0.5)
  }

  static let floorHz = 60.0
  static let hopMs = 2.0
  /// Length of the mean over time.
  private static let smoothingMs = 20.0
  /// End of the range in which the trend is fitted.
  private static let trendEndMs = 50.0

  /// Centre of the first frame; the others follow every `hopSeconds`.
  public let firstSeconds: Double
  public let hopSeconds: Double
  /// Prominence in each frame; `nil` in silence.
  public let decibels: [Double?]

  /// Centre of frame `index`.
  func seconds(_ index: Int) -> Double { firstSeconds + Double(index) * hopSeconds }

  /// Mean over the frames that have a value; `nil` if none has.
  public var meanDecibels: Double? { Statistics.mean(decibels.compactMap { $0 }) }

  public init(of signal: Signal, _ range: VoiceRange) {
    let cepstrogram = PowerCepstrogram(signal, maximumHz: range.maximumHz)
    (firstSeconds, hopSeconds) = (cepstrogram.firstSeconds, Self.hopMs / 1000)
    let step = cepstrogram.quefrencySeconds
    let width = Self.smoothingMs / Self.hopMs
    let bins = range.quefrencySmoothingMs / 1000 / step
    // A frame is a kilobyte or more, so only one second of them is held at a time, with the
    // margins that the mean over time needs.
    let margin = Int(width / 2) + 2
    let block = Int(1000 / Self.hopMs)
    var decibels: [Double?] = []
    for first in stride(from: 0, to: cepstrogram.count, by: block) {
      let own = first..<min(first + block, cepstrogram.count)
      let read = max(0, first - margin)..<min(cepstrogram.count, own.upperBound + margin)
      let flat = cepstrogram.frames(read).map { frame in
        frame.map { Self.flattened($0, Trend(of: $0, step, range), step) }
      }
      let frames = Self.smoothedOverTime(flat, width)
      decibels += frames[own.lowerBound - read.lowerBound..<own.upperBound - read.lowerBound].map {
        $0.flatMap { frame in
          let smooth = bins >= 2 ? MovingMean(width: bins).applied(to: frame) : frame
          return Self.prominence(smooth, step, range)
        }
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

  private static func prominence(_ power: [Double], _ step: Double, _ range: VoiceRange) -> Double? {
    let lowest = Int((1 / range.ceilingHz / step).rounded(.up))
    let highest = min(Int(1 / floorHz / step), power.count - 2)
    guard lowest >= 1, lowest <= highest else { return nil }
    let peak = (lowest...highest).max { power[$0] < power[$1] }!
    let (a, b, c) = (decibels(power[peak - 1]), decibels(power[peak]), decibels(power[peak + 1]))
    let offset = b >= a && b > c ? peakOffset(a, b, c) ?? 0 : 0
    let height = b - (a - c) * offset / 4
    let trend = Trend(of: power, step, range)
    return height - trend.decibels(at: (Double(peak) + offset) * step)
  }

  fileprivate static func decibels(_ power: Double) -> Double { 10 * log10(power + 1e-30) }

  /// A straight line of decibels over the logarithm of quefrency.
  private struct Trend {
    private var slope = 0.0
    private var intercept = 0.0

    /// Fits by Theil's incomplete method: the median slope between points half the range apart, and
    /// the median of the remainders.
    init(of power: [Double], _ step: Double, _ range: VoiceRange) {
      let first = max(1, Int((range.trendStartMs / 1000 / step - 1e-6).rounded(.up)))
      let last = min(Int(CepstralProminence.trendEndMs / 1000 / step + 1e-6), power.count - 1)
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
