import AllocationProbe
import DSP
import Effects
import Foundation
import Harmonizer
import Music
import ProcessorConformance
import TestSupport
import Testing

@Suite struct PresetPlayerTests {
  private let rateHz = 48_000.0

  /// A tuner without correction, which is a pure delay.
  private static func untuned() -> AutoTuner.Settings {
    var settings = AutoTuner.Settings(target: .key(.cMajor))
    settings.correction.amountPercent = 0
    return settings
  }

  private static let wide: Harmonizer.Settings = {
    var settings = Harmonizer.Settings(voices: [.init(intervalSemitones: 4)], dryGain: 1)
    settings.spread = 1
    settings.voices[0].pan = 0.5
    return settings
  }()

  @Test func nothingChangesNothing() throws {
    let input = Signal.sine(220, amplitude: 0.5, seconds: 0.1).samples
    var player = try PresetPlayer(Preset("none", ""), sampleRateHz: rateHz)
    #expect(player.latencySamples == 0 && player.render(input) == input)
  }

  @Test func latencyIsAsStated() throws {
    let input = Signal.sine(220, amplitude: 0.5, seconds: 0.2).samples
    var player = try PresetPlayer(
      Preset("late", "", autotuner: Self.untuned()), sampleRateHz: rateHz)
    let late = player.latencySamples
    #expect(late > 0 && player.leadLatencySamples == late)
    #expect(player.render(input) == [Float](repeating: 0, count: late) + input.dropLast(late))
  }

  @Test func latenciesAddUp() throws {
    let choir = try Harmonizer(Self.wide, sampleRateHz: rateHz).latencySamples
    let tuner = try AutoTuner(Self.untuned(), sampleRateHz: rateHz).latencySamples
    let player = try PresetPlayer(
      Preset("all", "", autotuner: Self.untuned(), harmonizer: Self.wide), sampleRateHz: rateHz)
    #expect(player.latencySamples == choir + tuner && player.leadLatencySamples == tuner)
  }

  @Test func keepsTheContract() throws {
    let chain = try EffectChain(parsing: "(tremolo | dry)")
    let tuned = AutoTuner.Settings(target: .key(.cMajor))
    let all = Preset("all", "", autotuner: tuned, harmonizer: Self.wide, effects: chain)
    let conformance = ProcessorConformance { try PresetPlayer(all, sampleRateHz: 48_000) }
    #expect(try conformance.blockSizeFindings() == [])
    #expect(try conformance.resetFindings() == [])
    #expect(try conformance.realtimeFindings() == [])
  }

  /// The tuner here corrects nothing, since one that does has its tap elsewhere after a bad sample.
  @Test func badSamplesLeaveNoTrace() throws {
    let all = Preset(
      "all", "", autotuner: Self.untuned(), harmonizer: Self.wide,
      effects: try EffectChain(parsing: "tremolo"))
    let conformance = ProcessorConformance { try PresetPlayer(all, sampleRateHz: 48_000) }
    #expect(try conformance.finiteFindings() == [])
  }

  /// A sine through changing presets: outside its line the spectrum is 60 dB down, and the audio
  /// thread allocates nothing.
  @Test func changesDontClick() throws {
    let presets = [
      Preset("late", "", autotuner: Self.untuned()), Preset("none", ""),
      Preset(
        "slow tremolo", "", effects: try EffectChain(parsing: "tremolo(rateHz=0.5,depth=0.3)")),
    ]
    _ = try play(presets)  // the runtime describes generic types where they are first used
    let (heard, calls) = try play(presets)
    #expect(calls == 0)
    // From 4 kHz up the leakage of the line under a Hann window of 2048 is below -100 dB.
    #expect(highestDb(heard, fromHz: 4000) < -60)
  }

  /// A parameter of an effect moves within the running effect: a delay keeps what it holds, and the audio
  /// thread allocates nothing. A new unit would begin with an empty delay.
  @Test func parametersOfEffectsMoveWithinThem() throws {
    _ = try echo()  // the runtime describes generic types where they are first used
    let (output, calls) = try echo()
    #expect(calls == 0)
    // The echo is there, at the new mix.
    let loudest = output[18_000..<21_000].max() ?? 0
    #expect(abs(loudest - 0.5) < 0.05, "\(loudest)")
  }

  /// An impulse through a delay of 400 ms whose mix is halved after 100 ms, and the calls of the allocator.
  private func echo() throws -> (output: [Float], calls: Int) {
    func preset(_ mix: String) throws -> Preset {
      Preset(
        "late", "", effects: try EffectChain(parsing: "delay(timeMs=400,feedback=0,mix=\(mix))"))
    }
    let player = try PresetPlayer(preset("1"), sampleRateHz: rateHz)
    var (output, calls) = ([Float](), 0)
    for turn in 0..<24 {
      var left = [Float](repeating: 0, count: 960)
      if turn == 0 { left[0] = 1 }
      if turn == 5 { try player.change(to: preset("0.5")) }
      var right = left
      do {
        var l = left.mutableSpan
        var r = right.mutableSpan
        allocation_probe_start()
        player.process(&l, &r)
        calls += allocation_probe_stop()
      }
      output += left
    }
    return (output, calls)
  }

  /// A wheel that is turned before a preset comes bends that preset's keys too.
  @Test func aBendSurvivesAChangeOfPreset() throws {
    let player = try PresetPlayer(Preset("none", ""), sampleRateHz: rateHz, observer: nil)
    let tap = TargetTap()
    let watched = try PresetPlayer(Preset("none", ""), sampleRateHz: rateHz, observer: tap)
    for one in [player, watched] {
      one.perform(.press(key: 60, velocity: 127))
      one.perform(.bend(key: 60, semitones: 2))
      try one.change(to: Self.keys)
      #expect(sounds(one))
    }
    // D4, 62, is 440 · 2^(-7/12) Hz.
    #expect(abs((tap.targetHz ?? 0) - 293.665) < 0.01)
  }

  private final class TargetTap: ChoirObserver, @unchecked Sendable {
    private(set) var targetHz: Double?

    func observe(_ choir: borrowing Harmonizer) { targetHz = choir.state(ofVoice: 0).targetHz }
  }

  /// A sine through presets that change, and the calls of the allocator during `process`.
  private func play(_ presets: [Preset]) throws -> (heard: [Float], calls: Int) {
    let player = try PresetPlayer(Preset("none", ""), sampleRateHz: rateHz)
    var heard: [Float] = []
    var calls = 0
    let input = Signal.sine(997, amplitude: 0.5).samples
    for (turn, start) in stride(from: 0, to: input.count, by: 1000).enumerated() {
      if turn % 12 == 5 { try player.change(to: presets[turn / 12 % presets.count]) }
      var left = Array(input[start..<start + 1000])
      var right = left
      do {
        var l = left.mutableSpan
        var r = right.mutableSpan
        allocation_probe_start()
        player.process(&l, &r)
        calls += allocation_probe_stop()
      }
      heard += left
    }
    return (heard, calls)
  }

  /// A choir of one voice that sings a held key, without the lead.
  private static let keys = {
    var choir = Harmonizer.Settings(voices: [.init(.held)])
    choir.dryGain = 0
    return Preset("keys", "", harmonizer: choir)
  }()

  /// Returns true if a player sounds, half a second later.
  private func sounds(_ player: PresetPlayer) -> Bool {
    var player = player
    let voiced = Signal.harmonics(Array(repeating: 0.1, count: 6), of: 220).samples
    let loudest = player.render(voiced)[24_000...].reduce(0) { max($0, abs($1)) }
    #expect(loudest > 0.1 || loudest < 1e-3)
    return loudest > 0.1
  }

  /// A choir that sings held keys takes over those that are down when its preset starts, as often
  /// as they were pressed.
  @Test func heldKeysSurviveAChangeOfPreset() throws {
    let player = try PresetPlayer(Preset("none", ""), sampleRateHz: rateHz)
    player.perform(.press(key: 60, velocity: 127))
    player.perform(.press(key: 60, velocity: 127))
    player.perform(.release(key: 60))
    try player.change(to: Self.keys)
    #expect(sounds(player))
    player.perform(.press(key: 60, velocity: 127))
    try player.change(to: Self.keys)
    player.perform(.release(key: 60))
    #expect(sounds(player))
    player.perform(.release(key: 60))
    #expect(!sounds(player))
  }

  /// A key that only the pedal or the latch holds sounds on in the new preset, and ends as it would have.
  @Test(arguments: [KeyAction.pedal(isDown: true), .latch(isOn: true)])
  func whatPedalAndLatchHoldSurvives(holding: KeyAction) throws {
    let player = try PresetPlayer(Self.keys, sampleRateHz: rateHz)
    player.perform(holding)
    player.perform(.press(key: 60, velocity: 127))
    player.perform(.release(key: 60))
    try player.change(to: Preset("other keys", "", harmonizer: Self.keys.harmonizer))
    #expect(sounds(player))
    player.perform(.press(key: 64, velocity: 127))
    player.perform(.release(key: 64))
    #expect(sounds(player))
    player.perform(.pedal(isDown: false))
    player.perform(.latch(isOn: false))
    #expect(!sounds(player))
  }

  /// A key that two keyboards press, or a tone that two pads share.
  @Test func releasingAllEndsKeysPressedTwice() throws {
    let player = try PresetPlayer(Self.keys, sampleRateHz: rateHz)
    player.perform(.press(key: 60, velocity: 127))
    player.perform(.press(key: 60, velocity: 127))
    #expect(sounds(player))
    player.perform(.releaseAll)
    #expect(!sounds(player))
    // The pedal holds what is released while it is down.
    player.perform(.press(key: 60, velocity: 127))
    player.perform(.pedal(isDown: true))
    player.perform(.releaseAll)
    #expect(sounds(player))
    player.perform(.pedal(isDown: false))
    #expect(!sounds(player))
  }
}
