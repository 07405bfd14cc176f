import DSP
import Foundation
import Instrument
import Subjects
import Testing

/// A loop that is computed: the sound comes back later and, if it is one of the bench's, at another
/// pitch.
private struct ComputedLoop: SoundLoop {
  var sampleRateHz = 48_000.0
  var takesKeys = false
  var delaySamples: Int
  /// Pitch at which notes come back; `nil` keeps the waveform.
  var noteHz: Double?

  func play(_ signal: Signal, tailSeconds: Double, messages: [LoopMessage]) -> LoopTake {
    var sound = signal
    if let noteHz {
      // Bursts come back as other noise, notes at the other pitch.
      if signal == ProbeSounds.swell(hz: 220, sampleRateHz: sampleRateHz) {
        sound = ProbeSounds.swell(hz: noteHz, sampleRateHz: sampleRateHz)
      } else if signal == ProbeSounds.beats(hz: 220, count: 12, sampleRateHz: sampleRateHz) {
        sound = ProbeSounds.beats(hz: noteHz, count: 12, sampleRateHz: sampleRateHz)
      } else {
        sound.samples.reverse()
      }
    }
    let tail = [Float](repeating: 0, count: Int(tailSeconds * sampleRateHz))
    let late = [Float](repeating: 0, count: delaySamples)
    let output = Array((late + sound.samples + tail).prefix(signal.count + tail.count))
    return LoopTake(output: Signal(output, sampleRateHz: sampleRateHz), xrunCount: 0)
  }
}

@Suite struct LoopProbeTests {
  @Test(arguments: [0, 1, 777, 9600]) func aDelayedWaveformIsExact(delay: Int) throws {
    let probe = try LoopProbe(ComputedLoop(delaySamples: delay), isBrief: true)
    #expect(probe.bursts?.delaySamples == delay)
    #expect(probe.bursts?.lostCount == 0)
    #expect(probe.findings.first { $0.name == "waveform.jitter" }?.value ?? 1 < 0.001)
  }

  /// Four semitones up and an octave down: the loudness tells the delay to half a millisecond, onsets
  /// to a period of the lower note.
  @Test(arguments: [(277.18, 480), (277.18, 1931), (110.0, 960)])
  func aShiftedSoundIsMeasuredByItsLoudness(hz: Double, delay: Int) throws {
    let probe = try LoopProbe(ComputedLoop(delaySamples: delay, noteHz: hz))
    #expect(probe.bursts?.delaySamples == nil)
    let known = Double(delay) / 48
    for (name, tolerance) in [("sustained", 0.5), ("onsets", 1000 / min(hz, 220))] {
      let found = try #require(probe.findings.first { $0.name == name }?.value, "\(name)")
      #expect(abs(found - known) < tolerance, "\(name) is \(found) for \(known)")
    }
  }
}
