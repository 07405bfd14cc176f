import DSP
import Foundation

/// A recording made ready to be played: cropped without clicks, at a speed, perhaps looped.
///
/// A value without a place or a state: any number of threads may have it.
public struct Sample: Equatable, Sendable {
  public let settings: Settings
  /// Sample rate of the recording.
  public let sampleRateHz: Double
  /// Range of the recording that it holds.
  public let crop: Range<Int>
  /// Faded at its edges and at its gain.
  let samples: [Float]
  let seam: SampleLoop?

  /// - Allocates: a copy of the crop. Searching a loop costs as many products as the samples of
  ///   twice `searchMs` times those of what is compared.
  public init(_ recording: Signal, _ settings: Settings = Settings()) throws(SampleError) {
    do { try settings.validate() } catch { throw .setting(error) }
    guard !recording.samples.isEmpty else { throw .empty }
    if let bad = recording.firstNonFinite { throw .notFinite(atSample: bad) }
    let crop = try SampleCrop(recording, settings)
    var sound = crop.sound(of: recording, fadeMs: settings.fadeMs)
    let seam = try settings.loop.map { (wanted) throws(SampleError) in
      try Self.place(wanted, in: crop.range, sound, recording.sampleRateHz)
    }
    let gain = Float(pow(10, settings.gainDb / 20))
    if gain != 1 { for i in sound.indices { sound[i] *= gain } }
    (self.settings, sampleRateHz, self.crop) = (settings, recording.sampleRateHz, crop.range)
    (self.seam, samples) = (seam, sound)
  }

  /// Range of its own samples that is repeated while a key is held.
  public var loop: Range<Int>? { seam?.range }

  /// Duration at its speed, without its loop.
  public var durationSeconds: Double {
    Double(samples.count) / sampleRateHz / settings.speed
  }

  /// The sound at its speed, once and without its loop; or looped for as long as `seconds` says.
  ///
  /// For offline use. At speed 1 and the recording's own rate these are its samples, to the bit.
  public func rendered(sampleRateHz rateHz: Double, seconds: Double? = nil) -> Signal {
    let exact = (seconds ?? durationSeconds) * rateHz
    // Whole but for rounding, it would get a sample more.
    let whole = exact.rounded()
    let count = Int(abs(exact - whole) < 1e-6 ? whole : exact.rounded(.up))
    var sound = samples
    if let seam, seconds != nil {
      sound = Array(seam.seamless(samples)[..<seam.range.upperBound])
      let needed = Double(count) / rateHz * settings.speed * sampleRateHz
      let loop = Array(sound[seam.range])
      while Double(sound.count) < needed + Self.filterReach { sound += loop }
    }
    let played = Signal(sound, sampleRateHz: sampleRateHz)
      .resampled(to: rateHz / settings.speed).samples.prefix(count)
    return Signal(played + Array(repeating: 0, count: count - played.count), sampleRateHz: rateHz)
  }

  /// Samples after the last that the resampler's filter reaches at the highest speed and rate.
  private static let filterReach = 65_536.0

  private static func place(
    _ wanted: Loop, in crop: Range<Int>, _ sound: [Float], _ rateHz: Double
  ) throws(SampleError) -> SampleLoop {
    func samples(_ seconds: Double) -> Int { Int((seconds * rateHz).rounded()) }
    let (whole, end) = (Double(crop.upperBound) / rateHz, wanted.endSeconds)
    let first = samples(wanted.startSeconds) - crop.lowerBound
    let last = (end.map(samples) ?? crop.upperBound) - crop.lowerBound
    guard first >= 0, last <= sound.count, first <= last else {
      throw .loopIsOutside(
        start: wanted.startSeconds, end: end ?? whole,
        crop: Double(crop.lowerBound) / rateHz...whole)
    }
    let lengthMs = Double(last - first) / rateHz * 1000
    guard lengthMs >= SampleLoop.shortestMs, last - first > 1 else {
      throw .loopIsTooShort(lengthMs: lengthMs, shortestMs: SampleLoop.shortestMs)
    }
    return SampleLoop(
      first..<last, crossfade: samples(wanted.crossfadeMs / 1000),
      search: samples(wanted.searchMs / 1000), sound, rateHz: rateHz)
  }
}
