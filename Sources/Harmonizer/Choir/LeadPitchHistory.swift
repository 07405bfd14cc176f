import Analyzer
import DSP
import Music

/// Pitch of the lead in the last seconds, read by instants.
///
/// - Allocates: in `init` only.
struct LeadPitchHistory: ~Copyable, @unchecked Sendable {
  struct Frame: BitwiseCopyable {
    /// Fractional key number; without voice, the last known.
    var pitch: Double?
    var isVoiced: Bool
    /// True if the pitch is surely that of a voice. A tracker with a low threshold gives noise a pitch too.
    var isSure = false
    /// How much older the sound is that the pitch was measured on, in frames.
    var lag = 0.0
  }

  private var frames: RealtimeArray<Frame>  // ring
  private let hopSamples: Double
  private let sampleRateHz: Double
  private var count = 0
  private var newest = 0  // samples, of the newest frame

  /// Time within which a voice that begins is known before it is heard.
  private static var lookForward: Double { @_noLocks get { 0.04 } }  // s
  private let forward: Int  // frames

  /// - Parameter seconds: how far back instants may lie.
  init(hopSamples: Int, seconds: Double, sampleRateHz: Double) {
    self.hopSamples = Double(hopSamples)
    self.sampleRateHz = sampleRateHz
    frames = RealtimeArray(
      repeating: Frame(pitch: nil, isVoiced: false),
      count: max(4, Int(seconds * sampleRateHz / Double(hopSamples))))
    forward = Int(Self.lookForward * sampleRateHz / Double(hopSamples))
  }

  /// All of a lead that is known, every 2.5 ms.
  init(of lead: KnownLead, sampleRateHz: Double) {
    let hop = max(1, Int(0.002_5 * sampleRateHz))
    let seconds = Double(lead.sampleCount + 4 * hop) / sampleRateHz
    self.init(hopSamples: hop, seconds: seconds, sampleRateHz: sampleRateHz)
    for sample in stride(from: 0, through: lead.sampleCount, by: hop) {
      let time = Double(sample) / sampleRateHz
      add(
        f0Hz: lead.track.f0Hz(atSeconds: time) ?? 0, atSample: sample,
        isSure: lead.isSurelyVoiced(atSeconds: time))
    }
  }

  @_noLocks mutating func reset() { (count, newest) = (0, 0) }

  @_noLocks mutating func add(_ estimate: PitchEstimate) {
    let lag = estimate.timeSamples - estimate.measuredSample(sampleRateHz: sampleRateHz)
    add(f0Hz: estimate.f0Hz, atSample: estimate.timeSamples, lag: Double(lag) / hopSamples)
  }

  /// - Parameter f0Hz: 0 where there is no voice.
  @_noLocks private mutating func add(
    f0Hz: Double, atSample sample: Int, lag: Double = 0, isSure: Bool = true
  ) {
    var frame = Frame(pitch: count > 0 ? self.frame(0).pitch : nil, isVoiced: false, lag: lag)
    if f0Hz > 0 {
      frame.pitch = NoteNumber(hz: f0Hz).semitones
      (frame.isVoiced, frame.isSure) = (true, isSure)
    }
    frames[count % frames.count] = frame
    count += 1
    newest = sample
  }

  /// True if the lead surely had a voice at an instant, or at the newest known before it.
  @_noLocks func isVoiced(atSample time: Double) -> Bool {
    count > 0 && frame(nearestOf(place(of: time))).isSure
  }

  /// The lead's pitch at an instant as a fractional key number.
  ///
  /// Where it has none: the pitch it is about to begin with, if that is known; else the last it had.
  /// After the newest estimate, the newest. `nil` if there never was one.
  @_noLocks func pitch(atSample time: Double) -> Double? {
    guard count > 0 else { return nil }
    let stated = place(of: time)
    let place = max(0, stated - frame(nearestOf(stated)).lag)
    let before = frame(floorOf(place) + 1)
    let after = frame(floorOf(place))
    let nearest = place - Double(floorOf(place)) < 0.5 ? after : before
    if before.isVoiced, after.isVoiced, let from = before.pitch, let to = after.pitch {
      // A leap is none that a voice could have passed through.
      guard abs(from - to) < 1 else { return nearest.pitch }
      return to + (place - Double(floorOf(place))) * (from - to)
    }
    if nearest.isVoiced { return nearest.pitch }
    let age = floorOf(place)
    for later in 0...forward where later <= age && frame(age - later).isVoiced {
      return frame(age - later).pitch
    }
    return before.pitch
  }

  /// Returns the age of an instant in frames, within what is known.
  @_noLocks private func place(of time: Double) -> Double {
    let oldest = Double(min(count, frames.count) - 1)
    return min(max((Double(newest) - time) / hopSamples, 0), oldest)
  }

  /// - Parameter age: 0 is the newest.
  @_noLocks private func frame(_ age: Int) -> Frame {
    let known = min(max(age, 0), min(count, frames.count) - 1)
    return frames[(count - 1 - known) % frames.count]
  }
}

extension PitchEstimate {
  /// The middle of the sound that it was measured on.
  ///
  /// That is the instant it speaks of, unless the look-ahead is too short for it: then as much of
  /// the past is taken, and the middle lies 7.6 ms and 0.55 periods back. Measured by the phase of
  /// vibrato at 110, 220 and 440 Hz, to 0.1 ms (`scripts/peers/autotune.py`).
  @_noLocks func measuredSample(sampleRateHz: Double) -> Int {
    guard f0Hz > 0 else { return timeSamples }
    let reach = 0.0076 * sampleRateHz + 0.55 * sampleRateHz / f0Hz
    return min(timeSamples, timeSamples + ageSamples - Int(reach))
  }
}
