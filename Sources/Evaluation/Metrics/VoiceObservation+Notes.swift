import Analyzer
import Foundation

extension VoiceObservation {
  /// Onsets of the voice's notes less those of the target, for notes that both have.
  var onsetDisplacementsMs: [Double] {
    analyses.onsetDisplacementsMs {
      let segmenter = NoteSegmenter()
      let sung = segmenter.notes(in: heard)
      return segmenter.notes(in: wanted).compactMap { note in
        sung.filter { abs(cents($0.pitchHz, over: note.pitchHz)) <= 100 }
          .map { ($0.onsetSeconds - note.onsetSeconds) * 1000 }
          .filter { abs($0) <= 150 }
          .min { abs($0) < abs($1) }
      }
    }
  }

  /// Vibrato of each note that has one in both the target and the voice.
  var vibrati: [(wanted: VibratoFit, heard: VibratoFit)] {
    analyses.vibrati {
      NoteSegmenter().notes(in: wanted).compactMap { note in
        guard let target = try? VibratoFit(of: wanted, in: note) else { return nil }
        guard let heard = try? VibratoFit(of: heard, in: note) else { return nil }
        return (target, heard)
      }
    }
  }

  /// Response of the voice to each change of its note.
  var stepResponses: [Result<StepResponse, Unmeasurable>] {
    analyses.stepResponses {
      // The tracker's window spans several periods, which are long for low notes.
      let hasLowNote = steps.contains { min($0.fromHz, $0.toHz) < 110 }
      return StepResponse.all(of: heard, to: steps, resolutionMs: hasLowNote ? 24 : 16)
    }
  }

  /// Frames without a target for the voice and without a pitch in the lead, by its measured pitch even
  /// where that is uncertain.
  var silentFrames: [Int] {
    let hop = heard.hopSeconds
    let reach = Int((0.05 / hop).rounded())
    let sung = lead.heardTrack.f0Hz
    guard let late = delayFrames else { return [] }
    let gives = heard.f0Hz.indices.map { frame in
      wanted.f0Hz[frame] > 0 || sung.indices.contains(frame - late) && sung[frame - late] > 0
    }
    var last = -reach - 1  // the last frame with a pitch
    var far = gives.indices.map { frame -> Bool in
      if gives[frame] { last = frame }
      return frame - last > reach
    }
    var next = gives.count + reach + 1
    for frame in gives.indices.reversed() {
      if gives[frame] { next = frame }
      if next - frame <= reach { far[frame] = false }
    }
    return far.indices.filter { far[$0] }
  }
}

extension VoiceObservation {
  /// Returns the frames that tell whether the voice is there, and the gaps among them.
  ///
  /// A voice without a pitch is not lost if its target is the likeliest pitch in half of the frames,
  /// of a sound that is nearly as loud as the lead: the tracker hesitates to call the soft ends of
  /// notes a voice. Nor is it lost for less than 30 ms: such gaps lie within the tracker's window of
  /// 50 ms, and are heard as clicks and dropouts, which are counted as such.
  package var presence: (told: [Int], gaps: [Range<Int>]) {
    let hushed = hushedFrames
    let told = toldFrames.filter { !hushed.contains($0) }
    let least = Int((Self.shortestGapSeconds / heard.hopSeconds).rounded())
    let gaps = told.filter { heard.f0Hz[$0] == 0 }.runs.filter { gap in
      let likely = gap.count { isLikely(atFrame: $0) }
      return gap.count >= least && 2 * likely < gap.count
    }
    return (told, gaps)
  }

  /// The delay in whole frames; `nil` if it is unknown.
  private var delayFrames: Int? {
    delay.seconds.map { Int(($0 / heard.hopSeconds).rounded()) }
  }

  private static let shortestGapSeconds = 0.030

  /// Ratio of powers below which a voice can't be heard beside the lead: -30 dB.
  private static let leastPower = 0.001

  private func isLikely(atFrame frame: Int) -> Bool {
    let (likely, wanted) = (heard.likelyHz[frame], target.f0Hz[frame])
    let time = Double(frame) * heard.hopSeconds
    guard likely > 0, wanted > 0, abs(cents(likely, over: wanted)) <= 50,
      let own = sound?.lowPower(atSeconds: time), let delaySeconds = delay.seconds,
      let other = lead.lowPower(atSeconds: time - delaySeconds)
    else { return false }
    return own > Self.leastPower * other
  }

  /// Frames within 15 ms of one in which the lead sings, but too softly for the tracker to hear it, as
  /// in the closures of voiced stops. A voice that is not heard there either is not missing.
  private var hushedFrames: Set<Int> {
    let (sung, heard) = (lead.track, lead.heardTrack)
    guard heard.hopSeconds == sung.hopSeconds, heard.hopSeconds == self.heard.hopSeconds,
      let late = delayFrames
    else { return [] }
    let reach = Int((0.015 / heard.hopSeconds).rounded())
    var frames: Set<Int> = []
    for frame in 0..<min(sung.count, heard.count)
    where sung.f0Hz[frame] > 0 && heard.f0Hz[frame] == 0 {
      frames.formUnion((frame + late - reach)...(frame + late + reach))
    }
    return frames
  }
}

extension PitchTrack {
  /// Number of times that the nearest semitone changes and returns within 0.2 s. A semitone is left
  /// only for a pitch more than 60 cents away, so a pitch between two semitones does not flutter.
  var flutterCount: Int {
    var changes: [(tone: Double, frame: Int)] = []
    for (frame, hz) in f0Hz.enumerated() where hz > 0 {
      let semitones = cents(hz, over: 440) / 100
      if let now = changes.last, abs(semitones - now.tone) <= 0.6 { continue }
      changes.append((semitones.rounded(), frame))
    }
    let longest = 0.2 / hopSeconds
    return changes.indices.dropFirst(2).count { index in
      changes[index].tone == changes[index - 2].tone
        && Double(changes[index].frame - changes[index - 1].frame) <= longest
    }
  }
}
