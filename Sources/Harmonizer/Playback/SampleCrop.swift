import DSP
import Foundation

/// Cuts a stretch out of a recording so that neither edge clicks.
///
/// An edge that cuts the recording moves to the nearest zero crossing within reach, if there is one;
/// then the sound rises from nothing and falls to it along half a cosine.
struct SampleCrop {
  /// The first sample and the one after the last, of the recording.
  let range: Range<Int>

  init(_ recording: Signal, _ settings: Sample.Settings) throws(SampleError) {
    let (samples, rateHz) = (recording.samples, recording.sampleRateHz)
    let end = settings.endSeconds ?? recording.durationSeconds
    // A millisecond is the resolution of printed durations.
    guard end <= recording.durationSeconds + 0.001 else {
      throw .endIsOutside(end: end, duration: recording.durationSeconds)
    }
    let first = Self.edge(settings.startSeconds, samples, rateHz, snapMs: settings.snapMs)
    let last = Self.edge(end, samples, rateHz, snapMs: settings.snapMs)
    guard first < last else {
      throw .cropIsEmpty(
        start: settings.startSeconds, end: end, duration: recording.durationSeconds)
    }
    range = first..<last
  }

  /// The sound of a crop, rising and falling over `fadeMs` or half of it, whatever is shorter.
  func sound(of recording: Signal, fadeMs: Double) -> [Float] {
    var sound = Array(recording.samples[range])
    let count = min(Int((fadeMs / 1000 * recording.sampleRateHz).rounded()), sound.count / 2)
    for i in 0..<count {
      let gain = Float(0.5 - 0.5 * cos(.pi * Double(i) / Double(count)))
      sound[i] *= gain
      sound[sound.count - 1 - i] *= gain
    }
    return sound
  }

  /// Returns the place of a cut: the first sample after the zero crossing nearest to a time.
  private static func edge(
    _ seconds: Double, _ samples: [Float], _ rateHz: Double, snapMs: Double
  ) -> Int {
    let wanted = Int(min((seconds * rateHz).rounded(), Double(samples.count)))
    guard wanted > 0, wanted < samples.count else { return wanted }
    let reach = Int(snapMs / 1000 * rateHz)
    for distance in 0...max(reach, 0) {
      for place in [wanted - distance, wanted + distance]
      where place > 0 && place < samples.count
        && (samples[place - 1] < 0) != (samples[place] < 0)
      {
        return place
      }
    }
    return wanted
  }
}
