import DSP

/// Keeps the envelope of all voices of a bank: one `VoiceHarmonics` of the lead, a `HarmonicEqualizer` for
/// each copy.
///
/// The lead is read every 15 ms, and all copies aim anew in the step after that, so that a copy sounds
/// the same whatever others there are.
///
/// - Allocates: in `init` only.
struct EnvelopeCorrector: ~Copyable {
  private static var readingMs: Double { 15 }

  private var equalizers: RealtimeArray<HarmonicEqualizer>
  private var lead: VoiceHarmonics
  private let longestPeriod: Double
  private let stepsPerReading: Int
  private var step = 0  // since the last reading
  private var leadIsKnown = false

  /// - Parameter voiceCount: 0 where nothing is to be corrected.
  init(voiceCount: Int, sampleRateHz: Double) {
    longestPeriod = sampleRateHz / HarmonicEqualizer.lowestHz
    lead = VoiceHarmonics(longest: longestPeriod, sampleRateHz: sampleRateHz)
    let steps = max(
      2, Int(Self.readingMs / 1000 * sampleRateHz) / GrainTiming.stepSamples)
    stepsPerReading = steps
    equalizers = RealtimeArray(count: voiceCount) { _ in
      HarmonicEqualizer(rampSteps: steps, sampleRateHz: sampleRateHz)
    }
  }

  @_noLocks mutating func reset() {
    lead.reset()
    (step, leadIsKnown) = (0, false)
    for voice in 0..<equalizers.count { equalizers[voice].reset() }
  }

  /// Decides what is added within the step that begins.
  @_noLocks mutating func plan(
    at now: Int, _ voices: borrowing RealtimeArray<GrainVoice>, _ periods: borrowing PeriodMap,
    _ past: borrowing HistoryBuffer
  ) {
    guard equalizers.count > 0 else { return }
    if step == 0 { read(at: now, periods, past) }
    for voice in 0..<equalizers.count {
      equalizers[voice].step()
      if voices[voice].isPassing {
        equalizers[voice].rest()
      } else {
        follow(voice, ratio: voices[voice].ratio, voices[voice].timing, periods)
      }
    }
    step = step + 1 == stepsPerReading ? 0 : step + 1
  }

  /// Takes the last two periods that are known whole.
  @_noLocks private mutating func read(
    at now: Int, _ periods: borrowing PeriodMap, _ past: borrowing HistoryBuffer
  ) {
    leadIsKnown = false
    guard periods.isVoiced, periods.newest.period <= longestPeriod else { return }
    let latest = Double(now) - periods.newest.period - 1
    let mark = periods.mark(near: latest, notAfter: latest)
    guard mark.time <= latest, mark.period <= longestPeriod else { return }
    lead.read(past, at: mark.time, period: mark.period)
    leadIsKnown = true
  }

  @inline(__always) @_noLocks private mutating func follow(
    _ voice: Int, ratio: Double, _ timing: GrainTiming, _ periods: borrowing PeriodMap
  ) {
    let newest = periods.newest
    equalizers[voice].tune(mark: newest.time, period: newest.period / ratio)
    guard step == 1 else { return }
    guard leadIsKnown else { return equalizers[voice].rest() }
    equalizers[voice].aim(
      by: lead, ratio: ratio, speed: timing.speed,
      halfWidth: timing.halfWidth(1, ratio: ratio) * timing.speed)
  }

  /// Adds to the eight samples of a voice from the step on, of which all are known if it `isWhole`.
  @inline(__always) @_noLocks
  mutating func apply(
    to sound: inout SIMD8<Float>, isWhole: Bool, ofVoice voice: Int
  ) {
    if voice < equalizers.count { equalizers[unchecked: voice].apply(to: &sound, isWhole: isWhole) }
  }
}
