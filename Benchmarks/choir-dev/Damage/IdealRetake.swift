import Corpus
import DSP
import Foundation
import Metrics
import Music
import Singer
import Subjects

extension Performance {
  /// Returns the ideal voice of a score of one interval, sung in another way.
  ///
  /// - Parameter oracle: the ideal voice itself.
  func ideal(
    _ retake: DamagedVoice.Retake, of score: ResolvedScore, _ oracle: Oracle
  ) throws -> Signal {
    let rate = oracle.stems[0].signal.sampleRateHz
    func voice(_ singer: Performance, _ score: ResolvedScore) throws -> Signal {
      try Oracle(singer, score, sampleRateHz: rate).stems[0].signal
    }
    switch retake {
    case .raised(let semitones): return try voice(self, score.raised(bySemitones: semitones))
    case .formantsHigher(let percent):
      var other = self
      other.voice.tractLengthCm /= 1 + percent / 100
      return try voice(other, score)
    case .contourLate(let ms):
      let targets = oracle.stems[0].truth.targets(lateByMs: ms)
      return try sung(at: targets, keepingExpression: false).render(sampleRateHz: rate).signal
    }
  }
}

extension Truth {
  /// Returns the pitch as targets every millisecond, each as it was some time before. All else stays
  /// where it is.
  fileprivate func targets(lateByMs ms: Double) -> [PitchTarget] {
    let late = Int(ms / 1000 * sampleRateHz)
    let step = Int(sampleRateHz / 1000)
    return stride(from: 0, to: f0Hz.count, by: step).compactMap { now in
      guard f0Hz[now] > 0 else { return nil }
      // A note begins with its first pitch.
      let before = max(0, now - late)
      let hz = f0Hz[before] > 0 ? f0Hz[before] : f0Hz[now]
      return PitchTarget(
        startSeconds: Double(now) / sampleRateHz, pitchSemitones: NoteNumber(hz: hz).semitones,
        glideMs: 1)
    }
  }
}
