import Analyzer
import DSP
import Foundation

extension VoiceObservation {
  /// Frames without a target for the voice and without a pitch in the lead, by its measured pitch even
  /// where that is uncertain.
  var silentFrames: [Int] {
    let hop = heard.hopSeconds
    let reach = Int((0.05 / hop).rounded())
    let sung = lead.measuredTrack.f0Hz
    guard let trajectory = delay.trajectory else { return [] }
    let isVoiced = heard.f0Hz.indices.map { frame in
      let place = frame - trajectory.frames(at: frame, hop)
      return wanted.f0Hz[frame] > 0 || sung.indices.contains(place) && sung[place] > 0
    }
    var last = -reach - 1  // the last frame with a pitch
    var far = isVoiced.indices.map { frame -> Bool in
      if isVoiced[frame] { last = frame }
      return frame - last > reach
    }
    var next = isVoiced.count + reach + 1
    for frame in isVoiced.indices.reversed() {
      if isVoiced[frame] { next = frame }
      if next - frame <= reach { far[frame] = false }
    }
    return far.indices.filter { far[$0] }
  }

  /// Returns the frames that tell whether the voice is there, and the gaps among them.
  ///
  /// A voice without a pitch is not lost if its target is the likeliest pitch in half of the frames,
  /// of a sound that is nearly as loud as the lead: the tracker hesitates to call the soft ends of
  /// notes a voice. Nor is it lost for less than 30 ms: such gaps lie within the tracker's window of
  /// 50 ms, and are heard as clicks and dropouts, which are counted as such.
  package var presence: (judged: [Int], gaps: [Range<Int>]) {
    let masked = framesTooSoft(in: lead).union(ideal.map(framesTooSoft) ?? [])
    let judged = apartFrames.filter { !masked.contains($0) }
    let minCount = Int((Self.minGapSeconds / heard.hopSeconds).rounded())
    let gaps = judged.filter { heard.f0Hz[$0] == 0 }.runs.filter { gap in
      let likely = gap.count { isLikely(atFrame: $0) }
      return gap.count >= minCount && 2 * likely < gap.count
    }
    return (judged, gaps)
  }

  private static let minGapSeconds = 0.030

  /// Ratio of powers below which a voice can't be heard beside the lead: -30 dB.
  private static let minPower = 0.001

  private func isLikely(atFrame frame: Int) -> Bool {
    let (likely, wanted) = (heard.likelyHz[frame], target.f0Hz[frame])
    let time = Double(frame) * heard.hopSeconds
    guard likely > 0, wanted > 0, abs(cents(likely, over: wanted)) <= 50,
      let own = sound?.lowPower(atSeconds: time), let trajectory = delay.trajectory,
      let other = lead.lowPower(atSeconds: time - trajectory.ms(atSeconds: time) / 1000)
    else { return false }
    return own > Self.minPower * other
  }

  /// Returns the frames within 15 ms of one in which the lead, or the singer at the voice's own pitch,
  /// sings too softly for the tracker, as in the closures of voiced stops. A voice without a pitch there
  /// is not missing.
  private func framesTooSoft(in model: AnalyzedSound) -> Set<Int> {
    let (sung, heard) = (model.track, model.measuredTrack)
    guard heard.hopSeconds == sung.hopSeconds, heard.hopSeconds == self.heard.hopSeconds,
      let trajectory = delay.trajectory
    else { return [] }
    let reach = Int((0.015 / heard.hopSeconds).rounded())
    let isMasked = (0..<min(sung.count, heard.count)).map { frame in
      sung.f0Hz[frame] > 0 && heard.f0Hz[frame] == 0
    }
    return Set(
      self.heard.f0Hz.indices.filter { frame in
        let place = frame - trajectory.frames(at: frame, heard.hopSeconds)
        return isMasked[(place - reach..<place + reach + 1).clamped(to: isMasked.indices)]
          .contains(true)
      })
  }
}

extension VoiceObservation {
  /// Returns the voice's level below 3.9 kHz over that of the lead in each frame in which the voice
  /// has its target and is heard, and no other voice covers it.
  var levelsDb: [Double] {
    guard let trajectory = delay.trajectory else { return [] }
    return apartFrames.compactMap { frame in
      let time = Double(frame) * heard.hopSeconds
      guard heard.f0Hz.indices.contains(frame), heard.f0Hz[frame] > 0,
        let own = power(ofFrame: frame, atSeconds: time),
        let other = lead.lowPower(atSeconds: time - trajectory.ms(atSeconds: time) / 1000), own > 0,
        other > 1e-12
      else { return nil }
      return 10 * log10(own / other)
    }
  }

  private func power(ofFrame frame: Int, atSeconds time: Double) -> Double? {
    switch source {
    case .stem(let sound): return sound.lowPower(atSeconds: time)
    case .mix(let mix, let voice):
      guard case .measured(let heard) = mix.voices.voices[voice][frame] else { return nil }
      return heard.power
    }
  }
}

extension DelayTrajectory {
  /// Returns the delay at a frame in whole frames.
  fileprivate func frames(at frame: Int, _ hopSeconds: Double) -> Int {
    Int((ms(atSeconds: Double(frame) * hopSeconds) / 1000 / hopSeconds).rounded())
  }
}

extension AnalyzedSound {
  private static let frameSeconds = 0.048

  /// Returns the mean power below 3.9 kHz of 48 ms around a time; `nil` outside of the sound.
  func lowPower(atSeconds time: Double) -> Double? {
    let sums = energies
    let half = Self.frameSeconds / 2
    let (from, to) = (Int((time - half) * Self.lowRateHz), Int((time + half) * Self.lowRateHz))
    guard from >= 0, to < sums.count, from < to else { return nil }
    return (sums[to] - sums[from]) / Double(to - from)
  }
}
