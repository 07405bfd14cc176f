import AllocationProbe
import Analyzer
import DSP
import Foundation
import Harmonizer
import Music
import Synchronization
import TestSupport
import Testing

@testable import Instrument

/// Clients of a server on the dummy driver, one test at a time.
@Suite(.serialized, .enabled(if: JackServer.isInstalled, Comment(rawValue: JackServer.advice)))
struct JackTests {
  /// Returns its input after a number of samples that can be changed between probes.
  private final class DelayProcessor: JackProcessor, @unchecked Sendable {
    private var past = RealtimeArray<Float>(count: 1 << 14)
    private var place = 0
    let delay = Atomic(0)

    override func process(_ block: borrowing JackBlock) {
      let (input, output) = (block.input(0), block.output(0))
      for i in 0..<input.count {
        past[place] = input[i]
        output[i] = past[(place - delay.load(ordering: .relaxed)) & (past.count - 1)]
        place = (place + 1) & (past.count - 1)
      }
    }
  }

  private func delayClient(_ server: JackServer) throws -> (JackClient, DelayProcessor) {
    let client = try JackClient(
      "delay", .init(inputs: ["in"], outputs: ["out"]), server: server.name)
    let processor = DelayProcessor()
    try client.activate(processor)
    return (client, processor)
  }

  @Test func noServerIsOneSentence() {
    #expect(throws: JackError.noServer) {
      try JackClient("lonely", .init(inputs: ["in"]), server: "choir-nobody")
    }
  }

  /// CHOIR_KNOWN_DELAYS=167 tries 1002 delays.
  private static let delaysPerSize =
    ProcessInfo.processInfo.environment["CHOIR_KNOWN_DELAYS"].flatMap(Int.init) ?? 20

  @Test(arguments: [32, 64, 128, 256, 512, 1024])
  func knownDelaysAreFoundToTheSample(blockSize: Int) throws {
    let server = try JackServer(blockSize: blockSize)
    let (client, delay) = try delayClient(server)
    let loop = try JackLoop(through: "delay", server: server.name)
    client.setFreewheel(true)
    var random = SeededGenerator(seed: UInt64(blockSize))
    let noise = (0..<1920).map { _ in Float(random.uniform() - 0.5) }
    let burst = Signal(noise, sampleRateHz: loop.sampleRateHz)
    for _ in 0..<Self.delaysPerSize {
      let known = Int(random.uniform() * 6000)
      delay.delay.store(known, ordering: .relaxed)
      let take = try loop.play(burst, tailSeconds: 0.2, messages: [])
      let found = try WaveformDelay(of: take.output, from: burst)
      #expect(Int(found.delaySamples.rounded()) == known)
    }
    loop.close()
    client.close()
    server.stop()
  }

  /// The engine under keys, pads and a change of preset, at 64 frames.
  @Test func theProcessCallbackNeitherAllocatesNorLocks() throws {
    try #require(allocation_probe_is_live() == 1)
    let server = try JackServer()
    let choir = Harmonizer.Settings(
      voices: Array(repeating: Harmonizer.Voice(.held), count: 4), dryGain: 1)
    let preset = Preset(
      "live", "", autotuner: .init(target: .key(try Key(named: "C major"))), harmonizer: choir,
      effects: try .init(parsing: "compressor > reverb"))
    var pads = LiveInstrument.Pads()
    pads.chords = [[48, 52, 55], [57, 60, 64]]
    let client = try JackClient(
      "live", .init(inputs: ["in"], outputs: ["out_1", "out_2"], midiInput: "midi_in"),
      server: server.name)
    let engine = try LiveInstrument(preset, pads: pads, sampleRateHz: client.sampleRateHz)
    try client.activate(engine)
    let loop = try JackLoop(through: "live", server: server.name)
    #expect(loop.takesKeys)
    // On a busy machine a client that comes late to a block never sees its keys.
    client.setFreewheel(true)
    let sound = Signal.sine(220, amplitude: 0.3)
    let keys = [36, 60, 37].enumerated().flatMap { index, key in
      let start = 0.2 * Double(index)
      return [
        LoopMessage(seconds: start, key: key, isDown: true),
        LoopMessage(seconds: start + 0.15, key: key, isDown: false),
      ]
    }
    let take = try loop.play(sound, tailSeconds: 0.2, messages: keys)
    try engine.player.change(to: PresetBank.preset(named: "gospel")!)
    _ = try loop.play(sound, tailSeconds: 0.2, messages: keys)
    #expect(take.output.rms > 0.01)
    #expect(client.blockCount > 1000)
    #expect(client.allocationCount == 0)
    let presses = engine.events.popAll().filter { $0.status == 0x90 }.map(\.first)
    #expect(presses == [36, 60, 37, 36, 60, 37])
    #expect(!engine.truth.moments().isEmpty)
    loop.close()
    client.close()
    server.stop()
  }

  /// A voice that sings the key that is held, without the lead.
  private func keyClient(_ server: JackServer) throws -> (JackClient, JackLoop) {
    var choir = Harmonizer.Settings(voices: [Harmonizer.Voice(.held)])
    choir.dryGain = 0
    let client = try JackClient(
      "live", .init(inputs: ["in"], outputs: ["out_1", "out_2"], midiInput: "midi_in"),
      server: server.name)
    try client.activate(
      LiveInstrument(Preset("live", "", harmonizer: choir), sampleRateHz: client.sampleRateHz))
    let loop = try JackLoop(through: "live", server: server.name)
    client.setFreewheel(true)
    return (client, loop)
  }

  private static let tone = Signal.sine(220, amplitude: 0.3, seconds: 2)

  /// A key, a pedal and a wheel that one sound leaves down: the next begins without them.
  @Test func eachSoundBeginsWithAllKeysUp() throws {
    let server = try JackServer()
    let (client, loop) = try keyClient(server)
    let press = LoopMessage(seconds: 0.1, key: 60, isDown: true)
    let plain = try loop.play(Self.tone, tailSeconds: 0, messages: [press]).output.samples
    let left = [
      press, LoopMessage(seconds: 0.1, bytes: [0xB5, 64, 127]),
      LoopMessage(seconds: 0.1, bytes: [0xE5, 0, 127]),
    ]
    _ = try loop.play(Self.tone, tailSeconds: 0, messages: left)
    let silent = try loop.play(Self.tone, tailSeconds: 0, messages: []).output.samples
    #expect(plain[48_000...].contains { abs($0) > 0.05 })
    #expect(silent[24_000...].allSatisfy { $0 == 0 })
    _ = try loop.play(Self.tone, tailSeconds: 0, messages: left)
    let again = try loop.play(Self.tone, tailSeconds: 0, messages: [press]).output
    // The C of the key, and not the D of a wheel all the way up.
    let hz = try #require(PitchTracker.standard.track(again).f0Hz(atSeconds: 1))
    #expect(abs(1200 * log2(hz / 261.626)) < 10, "\(hz)")
    loop.close()
    client.close()
    server.stop()
  }

  /// A key pressed twice, then all notes off, is silent; so is a block of no frames harmless.
  @Test func allNotesOffEndsEveryPress() throws {
    let server = try JackServer()
    let (client, loop) = try keyClient(server)
    let take = try loop.play(
      Self.tone, tailSeconds: 0,
      messages: [
        LoopMessage(seconds: 0.1, key: 60, isDown: true),
        LoopMessage(seconds: 0.1, key: 60, isDown: true),
        LoopMessage(seconds: 1, bytes: [0xB0, 123, 0]),
      ])
    let sung = take.output.samples
    #expect(sung[24_000..<48_000].contains { abs($0) > 0.05 })
    #expect(sung[60_000...].allSatisfy { $0 == 0 })
    loop.close()
    client.callback.run(0)
    client.close()
    server.stop()
  }

  @Test func aServerThatEndsIsNoticed() throws {
    let server = try JackServer()
    let (client, _) = try delayClient(server)
    #expect(!client.isGone)
    server.stop()
    for _ in 0..<500 where !client.isGone { usleep(10_000) }
    #expect(client.isGone)
    #expect(throws: JackError.serverGone(reason: "")) { try client.check() }
  }

  @Test func portsThatDontExistAreListed() throws {
    let server = try JackServer()
    let (client, _) = try delayClient(server)
    #expect(
      throws: JackError.noPort(
        "keyboard", kind: "MIDI output", others: client.portNames(.midiSource))
    ) { try client.port("keyboard", .midiSource) }
    #expect(try client.port("system", .audioSource) == "system:capture_1")
    #expect(client.blockSize == 64)
    client.close()
    // What libjack has freed is not asked.
    #expect(client.blockSize == 0 && client.serverLoad == 0 && client.sampleRateHz == 48_000)
    server.stop()
  }
}

extension LoopMessage {
  /// A key that goes down or up.
  fileprivate init(seconds: Double, key: Int, isDown: Bool) {
    let key = UInt8(clamping: key)
    self.init(seconds: seconds, bytes: isDown ? [0x90, key, 100] : [0x80, key, 64])
  }
}
