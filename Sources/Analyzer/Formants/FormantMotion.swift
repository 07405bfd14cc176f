import Foundation
import Statistics

/// Tells where the mouth moves, from the formants of linear prediction. They err more than a fit of
/// `VoiceModel`, but by much the same amount from one instant to the next.
struct FormantMotion {
  /// Maximum change of the logarithms of F1, F2 and F3 of a held vowel. Formants of held vowels are
  /// heard to differ from 1.5 % for F2 (Kewley-Port and Watson, "Formant-frequency discrimination
  /// for isolated English vowels", J. Acoust. Soc. Am. 95(1), 1994); a vibrato moves F1 by more.
  private static let maxChanges = [1.13, 1.03, 1.03].map { log($0) }
  /// Change of a formant of a held vowel as a share of the distance of the harmonics, which attract
  /// it; less lets held notes of sopranos seem to move.
  private static let maxHarmonicShare = 0.25
  /// Reach to either side of the median that smooths the formants.
  private static let smoothSeconds = 0.02

  private let track: FormantTrack
  private let f0Hz: [Double]
  /// The logarithms of the smoothed F1, F2 and F3 of each frame.
  private let logs: [[Double?]]

  /// - Parameter pitch: pitch of the same frames.
  init(of track: FormantTrack, _ pitch: PitchTrack) {
    precondition(track.count == pitch.count, "a pitch for each frame")
    self.track = track
    f0Hz = pitch.f0Hz
    let reach = max(1, Int((Self.smoothSeconds / track.hopSeconds).rounded()))
    logs = track.frames.indices.map { frame in
      let near = track.frames[max(0, frame - reach)..<min(track.count, frame + reach + 1)]
      return (1...3).map { number in
        Statistics.median(near.compactMap { $0[number]?.frequencyHz }).map { log($0) }
      }
    }
  }

  /// Returns whether the formants found at both instants are those of one held vowel.
  func isStill(from start: Double, to end: Double) -> Bool {
    let (first, last) = (index(start), index(end))
    let spacingHz = max(f0Hz[first], f0Hz[last])
    return Self.maxChanges.indices.allSatisfy { number in
      guard let a = logs[first][number], let b = logs[last][number] else { return true }
      return abs(a - b)
        <= max(Self.maxChanges[number], Self.maxHarmonicShare * spacingHz / exp(min(a, b)))
    }
  }

  /// Returns whether the formants stay those of the vowel in the middle of a stretch. A window that reaches into the
  /// next vowel mixes both: F2 of 2,000 Hz was read as 1,960 after one of 1,000 Hz.
  func isStill(within seconds: ClosedRange<Double>) -> Bool {
    let middle = (seconds.lowerBound + seconds.upperBound) / 2
    return isStill(from: seconds.lowerBound, to: middle)
      && isStill(from: middle, to: seconds.upperBound)
  }

  /// Returns the medians of F1 to F4 between two instants, without those that are not found.
  func formantsHz(from start: Double, to end: Double) -> [Double] {
    let part = FormantTrack(
      hopSeconds: track.hopSeconds, frames: Array(track.frames[index(start)...index(end)]))
    return (1...4).compactMap { part.medianHz(ofFormant: $0) }
  }

  private func index(_ seconds: Double) -> Int {
    max(0, min(track.count - 1, Int((seconds / track.hopSeconds).rounded())))
  }
}
