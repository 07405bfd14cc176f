import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct SignalDefectsTests {
  private let voice = TestVoice(seconds: 1) { _ in 180 }.signal()

  @Test func anIntactVoiceHasNoDefects() throws {
    let found = try SignalDefects(of: voice)
    #expect(found.nonFiniteCount == 0 && found.clips.isEmpty && found.dropouts.isEmpty)
    #expect(abs(found.dcOffset) < 1e-3)
  }

  @Test func dcOffsetIsMeasured() throws {
    var offset = voice
    for i in offset.samples.indices { offset.samples[i] += 0.01 }
    #expect(
      try abs(SignalDefects(of: offset).dcOffset - SignalDefects(of: voice).dcOffset - 0.01) < 1e-6)
  }

  @Test func nonFiniteSamplesAreCounted() throws {
    var broken = voice
    for i in 4800..<4848 { broken.samples[i] = .nan }
    broken.samples[24_000] = -.infinity
    let found = try SignalDefects(of: broken)
    #expect(found.nonFiniteCount == 49)
    #expect(found.nonFinite.map(\.startSeconds) == [0.1, 0.5])
    #expect(found.nonFinite[0].durationMs == 1)
    #expect(found.dcOffset.isFinite)
  }

  @Test func flatTopsAreClips() throws {
    let sine = (0..<48_000).map { Float(sin(2 * .pi * 100 * Double($0) / 48_000)) }
    let clipped = Signal(sine.map { max(-0.7, min(0.7, $0)) }, sampleRateHz: 48_000)
    let found = try SignalDefects(of: clipped)
    #expect(found.clips.count == 200)
    // A sine exceeds 0.7 of its amplitude for 1 - 2/π asin(0.7) of the time: 0.5064.
    #expect(abs(found.clippedShare - 0.5064) < 0.005)
    #expect(try SignalDefects(of: Signal(sine, sampleRateHz: 48_000)).clips.isEmpty)
    // A sample held on a rising slope is not a clip; one held on a peak is.
    let held = Signal([0, 0.3, 0.5, 0.5, 0.5, 0.7, 0.3, 0], sampleRateHz: 8000)
    #expect(try SignalDefects(of: held).clips.isEmpty)
    let flat = Signal([0, 0.3, 0.5, 0.5, 0.5, 0.3, 0], sampleRateHz: 8000)
    #expect(try SignalDefects(of: flat).clips.map(\.startSeconds) == [2 / 8000.0])
  }

  @Test func gapsAreDropoutsAndPausesAreNot() throws {
    var lost = voice
    for i in 20_000..<20_256 { lost.samples[i] = 0 }
    let found = try SignalDefects(of: lost).dropouts
    #expect(found.count == 1)
    #expect(found.first.map { abs($0.startSeconds - 20_000 / 48_000) < 1e-4 } == true)
    #expect(found.first.map { abs($0.durationMs - 256 / 48) < 0.1 } == true)
    // A fade, a pause, and a fade in again.
    var paused = voice
    for i in 10_000..<38_000 {
      let place = min(abs(Double(i) - 10_000), abs(Double(i) - 38_000)) / 9_600
      paused.samples[i] *= place >= 1 ? 0 : Float(pow(1 - place, 4))
    }
    #expect(try SignalDefects(of: paused).dropouts.isEmpty)
  }

  @Test func theNoiseFloorIsThatOfThePauses() throws {
    var noisy = Dose.noise(seconds: 2, rms: 0.001)
    for i in 0..<60_000 { noisy.samples[i] += 0.3 * sin(Float(i) * 0.05) }
    // The quietest tenth of frames of 480 samples is a little below the mean of noise.
    #expect(try abs((SignalDefects(of: noisy).noiseFloorDbfs ?? 0) + 60) < 1)
  }

  @Test func unusualSoundsHaveAResult() throws {
    for (name, signal) in Dose.awkward {
      let found = try SignalDefects(of: signal)
      #expect(found.dcOffset.isFinite && found.clippedShare.isFinite, "\(name)")
      if name == "silence" { #expect(found.noiseFloorDbfs == nil && found.dropouts.isEmpty) }
    }
  }
}
