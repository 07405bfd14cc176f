import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct SignalDefectsTests {
  private let voice = TestVoice(seconds: 1) { _ in 180 }.signal()

  @Test func anIntactVoiceHasNoDefects() throws {
    let found = SignalDefects(of: voice)
    #expect(found.nonFiniteCount == 0 && found.clips.isEmpty && found.dropouts.isEmpty)
    #expect(abs(found.dcOffset) < 1e-3)
  }

  @Test func dcOffsetIsMeasured() throws {
    var offset = voice
    for i in offset.samples.indices { offset.samples[i] += 0.01 }
    #expect(
      abs(SignalDefects(of: offset).dcOffset - SignalDefects(of: voice).dcOffset - 0.01) < 1e-6)
  }

  @Test func nonFiniteSamplesAreCounted() throws {
    var broken = voice
    for i in 4800..<4848 { broken.samples[i] = .nan }
    broken.samples[24_000] = -.infinity
    let found = SignalDefects(of: broken)
    #expect(found.nonFiniteCount == 49)
    #expect(found.nonFinite.map(\.startSeconds) == [0.1, 0.5])
    #expect(found.nonFinite[0].durationMs == 1)
    #expect(found.dcOffset.isFinite)
  }

  @Test func flatTopsAreClips() throws {
    let sine = (0..<48_000).map { Float(sin(2 * .pi * 100 * Double($0) / 48_000)) }
    let clipped = Signal(sine.map { max(-0.7, min(0.7, $0)) }, sampleRateHz: 48_000)
    let found = SignalDefects(of: clipped)
    #expect(found.clips.count == 200)
    // A sine exceeds 0.7 of its amplitude for 1 - 2/π asin(0.7) of the time: 0.5064.
    #expect(abs(found.clippedShare - 0.5064) < 0.005)
    #expect(SignalDefects(of: Signal(sine, sampleRateHz: 48_000)).clips.isEmpty)
    // A sample held on a rising slope is not a clip; one held on a peak is.
    let held = Signal([0, 0.3, 0.5, 0.5, 0.5, 0.7, 0.3, 0], sampleRateHz: 8000)
    #expect(SignalDefects(of: held).clips.isEmpty)
    let flat = Signal([0, 0.3, 0.5, 0.5, 0.5, 0.3, 0], sampleRateHz: 8000)
    #expect(SignalDefects(of: flat).clips.map(\.startSeconds) == [2 / 8000.0])
  }

  /// The crest of a clean low tone repeats a sample of 16 or 8 bits, or of single precision.
  @Test(arguments: [
    (0.14, 100.0, 48_000.0, 32_768.0), (0.14, 110, 44_100, 32_768), (0.5, 60, 96_000, 32_768),
    (0.14, 60, 192_000, 1e9), (0.9, 80, 44_100, 128),
  ]) func crestsOfCleanTonesAreNoClips(
    tone: (amplitude: Double, hz: Double, rateHz: Double, steps: Double)
  ) throws {
    func rounded(_ value: Double) -> Float {
      Float((value * tone.steps).rounded() / tone.steps)
    }
    // A voice whose third harmonic flattens the crest, and the sine.
    for third in [0, 1 / 9.0] {
      let samples = (0..<Int(tone.rateHz)).map { n -> Double in
        let phase = 2 * .pi * tone.hz * Double(n) / tone.rateHz
        return tone.amplitude * (sin(phase) + third * sin(3 * phase)) / (1 - third)
      }
      let clean = Signal(samples.map(rounded), sampleRateHz: tone.rateHz)
      #expect(SignalDefects(of: clean).clips.isEmpty)
      guard tone.steps > 128 else { continue }
      let limit = 0.8 * samples.max()!
      let clipped = Signal(samples.map { rounded(min($0, limit)) }, sampleRateHz: tone.rateHz)
      #expect(abs(SignalDefects(of: clipped).clips.count - Int(tone.hz)) <= 1)
    }
  }

  @Test func gapsAreDropoutsAndPausesAreNot() throws {
    var lost = voice
    for i in 20_000..<20_256 { lost.samples[i] = 0 }
    let found = SignalDefects(of: lost).dropouts
    #expect(found.count == 1)
    #expect(found.first.map { abs($0.startSeconds - 20_000 / 48_000) < 1e-4 } == true)
    #expect(found.first.map { abs($0.durationMs - 256 / 48) < 0.1 } == true)
    // A fade, a pause, and a fade in again.
    var paused = voice
    for i in 10_000..<38_000 {
      let place = min(abs(Double(i) - 10_000), abs(Double(i) - 38_000)) / 9_600
      paused.samples[i] *= place >= 1 ? 0 : Float(pow(1 - place, 4))
    }
    #expect(SignalDefects(of: paused).dropouts.isEmpty)
  }

  @Test func theNoiseFloorIsThatOfThePauses() throws {
    var noisy = Dose.noise(seconds: 2, rms: 0.001)
    for i in 0..<60_000 { noisy.samples[i] += 0.3 * sin(Float(i) * 0.05) }
    // The quietest tenth of frames of 480 samples is a little below the mean of noise.
    #expect(abs((SignalDefects(of: noisy).noiseFloorDbfs ?? 0) + 60) < 1)
  }

  @Test func unusualSoundsHaveAResult() throws {
    for (name, signal) in Dose.awkward {
      let found = SignalDefects(of: signal)
      #expect(found.dcOffset.isFinite && found.clippedShare.isFinite, "\(name)")
      if name == "silence" { #expect(found.noiseFloorDbfs == nil && found.dropouts.isEmpty) }
    }
  }
}
