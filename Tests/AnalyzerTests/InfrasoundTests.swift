import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Infrasound changes no result of the analyzer.
@Suite struct InfrasoundTests {
  /// A noisy voice at a fifth of full scale, with onset and end, that slides from 110 to 131 Hz.
  private static let voice: Signal = {
    var sound = TestVoice(seconds: 2, noiseDb: -25) { 110 * exp2(0.125 * $0) }.signal()
    for i in sound.samples.indices where !(12_000..<84_000).contains(i) {
      sound.samples[i] *= 0.001
    }
    let scale = 0.2 / sound.samples.map { abs($0) }.max()!
    return Signal(sound.samples.map { $0 * scale }, sampleRateHz: sound.sampleRateHz)
  }()

  private static let disturbed: [Signal] =
    [Rumble.constant(0.3, addedTo: voice)]
    + [1, 2, 3].map { Rumble.added(to: voice, seed: $0) }

  @Test(arguments: disturbed) func thePitchIsTheSame(sound: Signal) throws {
    let tracker = try PitchTracker()
    let (clean, heard) = (tracker.track(Self.voice), tracker.track(sound))
    #expect(clean.f0Hz.count { $0 > 0 } > 250)
    for (a, b) in zip(clean.f0Hz, heard.f0Hz) {
      // The disturbed samples are rounded at a different magnitude.
      #expect((a > 0) == (b > 0) && (a == 0 || abs(cents(a, over: b)) < 0.01))
    }
    let second = HarmonicFit(of: sound).track(around: clean, every: 4)
    let alone = HarmonicFit(of: Self.voice).track(around: clean, every: 4)
    for (a, b) in zip(alone.f0Hz, second.f0Hz) where a > 0 || b > 0 {
      #expect(abs(cents(a, over: b)) < 0.01)
    }
  }

  @Test(arguments: disturbed) func theVoiceSoundsTheSame(sound: Signal) throws {
    let track = try PitchTracker().track(Self.voice)
    let wanted = Harmonicity(of: Self.voice, following: track).meanDecibels
    let heard = Harmonicity(of: sound, following: track).meanDecibels
    // The filter passes some rumble at the ends of the sound, in the first and last 30 ms.
    #expect(abs(try #require(wanted) - (try #require(heard))) < 0.1)
  }

  @Test(arguments: disturbed) func theDelayIsTheSame(sound: Signal) throws {
    let waveform = try WaveformDelay(of: sound, from: Self.voice)
    #expect(abs(waveform.delaySamples) < 0.1)
    #expect(waveform.correlation > 0.99)
    #expect(abs(try OnsetDelay(of: sound, from: Self.voice).delayMs) < 0.3)
  }
}
