import Analyzer
import DSP
import Foundation
import Sweep

/// The second judge of a worst instant: another method that looks at the same place.
///
/// Each judgement is a confidence from 0 to 1, the share of the evidence that agrees with the first
/// judge. Less than `minConfidence` is no agreement.
///
/// - Pitch: the tracker goes by periods; `HarmonicFit` fits harmonics at the pitch that the tracker
///   heard and at the target. The lower one of two explains whatever the higher one does, so it must
///   explain more.
/// - Missing voices: no harmonics fit at the target.
/// - Clicks: the second difference of the waveform stands out from its surroundings, whatever the
///   spectrum predicts.
/// - Late onsets: the loudness of the whole around the onset, beside the slopes in bands.
package struct SecondJudge {
  /// Smallest confidence of an instant that is shown.
  package static let minConfidence = 0.6
  /// Share of the energy by which a lower pitch must explain more than a higher one.
  private static let minMore = 0.05
  /// Distance up to which a fit around the heard pitch also covers the target.
  private static let nearCents = 100.0

  private let sound: Signal
  private let fit: HarmonicFit

  /// - Parameter sound: the voice alone.
  package init(on sound: Signal) {
    self.sound = sound
    fit = HarmonicFit(of: sound)
  }

  /// Returns the confidence that a stretch is out of tune or missing.
  package func confidence(in stretch: OutOfTuneSegment, of trace: VoiceTrace) -> Double {
    let first = Int((stretch.startSeconds / trace.hopSeconds).rounded())
    let frames = first..<first + Int((stretch.durationSeconds / trace.hopSeconds).rounded())
    let votes = frames.clamped(to: 0..<min(trace.targetHz.count, trace.measuredHz.count))
      .map { frame in
        agrees(
          atSeconds: Double(frame) * trace.hopSeconds, measuredHz: Double(trace.measuredHz[frame]),
          targetHz: Double(trace.targetHz[frame]))
      }
    return votes.isEmpty ? 0 : Double(votes.count { $0 }) / Double(votes.count)
  }

  private func agrees(atSeconds time: Double, measuredHz: Double, targetHz: Double) -> Bool {
    guard targetHz > 0 else { return false }
    let atTarget = fit.fit(atSeconds: time, expectedHz: targetHz)
    guard measuredHz > 0 else { return atTarget == nil }
    guard let atMeasured = fit.fit(atSeconds: time, expectedHz: measuredHz) else { return false }
    let error = cents(measuredHz, over: targetHz)
    if abs(error) <= Self.nearCents {
      let own = cents(atMeasured.f0Hz, over: targetHz)
      return own * error > 0 && abs(own) > OutOfTuneSegment.toleranceCents
    }
    let more = atMeasured.explained - (atTarget?.explained ?? 0)
    return more > (measuredHz < targetHz ? Self.minMore : -Self.minMore)
  }

  /// Returns the confidence that there is a click at a time.
  package static func clickConfidence(in sound: Signal, atSeconds time: Double) -> Double {
    let rate = sound.sampleRateHz
    let middle = Int((time * rate).rounded())
    func differences(_ range: Range<Int>) -> [Double] {
      range.clamped(to: 1..<max(1, sound.count - 1)).map { n in
        let bend = sound.samples[n + 1] - 2 * sound.samples[n] + sound.samples[n - 1]
        return Double(abs(bend))
      }
    }
    let (near, far) = (Int(0.001 * rate), Int(0.020 * rate))
    let own = differences(middle - near..<middle + near + 1).max() ?? 0
    let beside =
      differences(middle - far..<middle - 2 * near) + differences(middle + 2 * near..<middle + far)
    guard own > 0 else { return 0 }
    let other = beside.max() ?? 0
    return max(0, 1 - other / own)
  }

  /// Returns the confidence that an onset of the input comes out with a delay.
  package static func onsetConfidence(
    of output: Signal, from input: Signal, atSeconds time: Double, delayMs: Double
  ) -> Double {
    let window = max(0, time - 0.05)...(time + 0.15 + max(0, delayMs) / 1000)
    guard let found = try? OnsetDelay(of: output.cut(window), from: input.cut(window)) else {
      return 0
    }
    return max(0, 1 - abs(found.delayMs - delayMs) / 10)
  }
}
