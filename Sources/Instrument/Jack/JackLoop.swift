import DSP
import Foundation
import Platform
import Synchronization

/// A MIDI message of a channel with its time from the beginning of the sound.
public struct LoopMessage: Sendable {
  public var seconds: Double
  /// Status and data, two or three bytes.
  public var bytes: [UInt8]

  public init(seconds: Double, bytes: [UInt8]) { (self.seconds, self.bytes) = (seconds, bytes) }
}

/// The sound that came back, from the instant at which sending began.
public struct LoopTake: Sendable {
  public var output: Signal
  /// Periods that the server missed meanwhile; each displaces sound.
  public var xrunCount: Int
}

/// The way through another JACK client: sound and keys go in, what comes out is recorded, sample by
/// sample on the server's clock.
///
/// Sender and receiver are two clients, so that the server runs them before and after the one under
/// test, in the same period. One client for both would add a period. A server has one loop at a time:
/// a client under test hears one voice, so another loop waits until this one ends.
public final class JackLoop {
  public let sender: JackClient
  private let receiver: JackClient
  private let playing: LoopSender
  private let recording: LoopReceiver
  public var sampleRateHz: Double { sender.sampleRateHz }
  /// True if a MIDI port of the client is connected.
  public let takesKeys: Bool
  private let connections: [(String, String)]
  private let turn: FolderLock

  /// Connects the loop through a client.
  ///
  /// - Parameters:
  ///   - name: a client, or one of its ports to listen to, as CLIENT:PORT.
  ///   - input: the port to send to; the client's first audio input unless given.
  ///   - server: name of the server; by default that of the environment.
  public init(
    through name: String, input: String? = nil, midi: String? = nil, server: String? = nil
  ) throws {
    turn = try Self.takeTurn(
      on: server ?? ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] ?? "default")
    let sender = try JackClient(
      "choir-probe-out", .init(outputs: ["out"], midiOutput: "keys"), server: server)
    self.sender = sender
    receiver = try JackClient("choir-probe-in", .init(inputs: ["in"]), server: server)
    playing = LoopSender()
    recording = LoopReceiver()
    let client = String(name.split(separator: ":", maxSplits: 1).first ?? "")
    let output = try receiver.port(name, .audioSource)
    let into = try sender.port(input ?? client, .audioSink)
    let firstKeys = sender.portNames(.midiSink).first { $0.hasPrefix("\(client):") }
    let keys = try midi.map { try sender.port($0, .midiSink) } ?? firstKeys
    try sender.activate(playing)
    try receiver.activate(recording)
    var made = [("\(sender.name):out", into), (output, "\(receiver.name):in")]
    if let keys { made.append(("\(sender.name):keys", keys)) }
    takesKeys = keys != nil
    connections = made
    for (from, to) in made {
      try (from.hasPrefix(sender.name) ? sender : receiver).connect(from, to)
    }
    settle()
  }

  /// Waits until the server has ordered a new graph, which takes it a period or two.
  private func settle() { usleep(UInt32(8e6 * Double(sender.blockSize) / sampleRateHz) + 50_000) }

  /// Waits until no other loop uses the server. JACK keeps its own files in the same folder.
  private static func takeTurn(on server: String) throws(JackError) -> FolderLock {
    let name = server.filter { $0.isLetter || $0.isNumber || $0 == "-" }
    let url = URL(fileURLWithPath: "/dev/shm/choir-eval-\(geteuid())-jack-\(name)")
    mkdir(url.path, 0o700)
    let lock: FolderLock?
    do { lock = try FolderLock(url) } catch { throw .notLocked(path: url.path) }
    guard let lock else { throw .notLocked(path: url.path) }
    return lock
  }

  /// Ends the loop's clients.
  public func close() {
    sender.close()
    receiver.close()
  }

  /// Plays a sound once, after all keys, pedals and pitch wheels that an earlier one left down are up.
  ///
  /// - Throws: `JackError.serverGone`; an xrun is no error but counted.
  public func play(
    _ signal: Signal, tailSeconds: Double, messages: [LoopMessage]
  ) throws -> LoopTake {
    let rateHz = sampleRateHz
    let count = signal.count + Int(tailSeconds * rateHz)
    // The server tells both of its clients about each.
    let before = sender.xrunCount
    let tape = LoopTape(count: count)
    recording.load(tape)
    playing.load(
      signal.samples,
      messages: (Self.released + messages).map { message in
        func byte(_ index: Int) -> UInt8 {
          index < message.bytes.count ? message.bytes[index] : 0
        }
        return JackMIDIEvent(
          frame: Int((message.seconds * rateHz).rounded()), status: byte(0), first: byte(1),
          second: byte(2))
      }, tape)
    defer {
      playing.unload()
      recording.unload()
    }
    let longest = Date().addingTimeInterval(Double(count) / rateHz * 3 + 5)
    while !tape.isFull.load(ordering: .acquiring) {
      try sender.check()
      try receiver.check()
      guard Date() < longest else {
        throw JackError.serverGone(reason: "no blocks for \(Int(Double(count) / rateHz * 3 + 5)) s")
      }
      usleep(500)
    }
    let samples = Array(UnsafeBufferPointer(start: tape.samples, count: count))
    return LoopTake(
      output: Signal(samples, sampleRateHz: rateHz),
      xrunCount: sender.xrunCount - before)
  }
}

extension JackLoop {
  /// All notes off, the pedal up and the wheel in the middle, on each channel.
  private static let released = (0..<16 as Range<UInt8>).flatMap { channel in
    [[0xB0 | channel, 123, 0], [0xB0 | channel, 64, 0], [0xE0 | channel, 0, 64]].map {
      LoopMessage(seconds: 0, bytes: $0)
    }
  }
}

/// The record of one sound, filled by the receiver from the frame at which the sender began.
private final class LoopTape: @unchecked Sendable {
  let samples: UnsafeMutablePointer<Float>
  let count: Int
  /// Frame of the server's clock, 32 bits; -1 until the sender begins.
  let startFrame = Atomic(-1)
  let isFull = Atomic(false)

  init(count: Int) {
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
    self.count = count
  }

  deinit { samples.deallocate() }
}

/// The sound and the messages that the audio thread of the sender plays.
private final class LoopSound: @unchecked Sendable {
  let sound: RealtimeArray<Float>
  /// The messages in order of time, with frames from the beginning of the sound.
  let messages: RealtimeArray<JackMIDIEvent>
  /// Index of the first message not yet sent; the audio thread's own.
  var nextMessage = 0
  let tape: LoopTape

  init(_ samples: [Float], _ messages: [JackMIDIEvent], _ tape: LoopTape) {
    sound = RealtimeArray(samples)
    self.messages = RealtimeArray(messages)
    self.tape = tape
  }
}

/// A slot that hands an object to the audio thread, which announces in which block it last looked.
private final class LoopSlot<Value: AnyObject>: @unchecked Sendable {
  private let place = Atomic<UnsafeMutableRawPointer?>(nil)
  private let isBusy = Atomic(false)
  private var owned: Value?

  /// Sets the object; waits until the audio thread has let go of the last one.
  func set(_ value: Value?) {
    let pointer = value.map { Unmanaged.passUnretained($0).toOpaque() }
    place.store(pointer, ordering: .sequentiallyConsistent)
    while isBusy.load(ordering: .sequentiallyConsistent) { usleep(100) }
    owned = value
  }

  /// Calls `work` with the object, if there is one. Does not wait.
  func use(_ work: (Value) -> Void) {
    isBusy.store(true, ordering: .sequentiallyConsistent)
    if let here = place.load(ordering: .sequentiallyConsistent) {
      Unmanaged<Value>.fromOpaque(here)._withUnsafeGuaranteedRef(work)
    }
    isBusy.store(false, ordering: .sequentiallyConsistent)
  }
}

private final class LoopSender: JackProcessor, @unchecked Sendable {
  private let slot = LoopSlot<LoopSound>()
  /// Messages of one block; more go into the next.
  private var due = RealtimeArray(
    repeating: JackMIDIEvent(frame: 0, status: 0, first: 0, second: 0), count: 128)

  func load(_ samples: [Float], messages: [JackMIDIEvent], _ tape: LoopTape) {
    slot.set(LoopSound(samples, messages, tape))
  }

  func unload() { slot.set(nil) }

  override func process(_ block: borrowing JackBlock) {
    let (output, count) = (block.output(0), block.count)
    for i in 0..<output.count { output[i] = 0 }
    block.send(due, count: 0)
    slot.use { loop in
      if loop.tape.startFrame.load(ordering: .acquiring) < 0 {
        loop.tape.startFrame.store(Int(block.startFrame), ordering: .releasing)
      }
      let first = loop.tape.startFrame.load(ordering: .acquiring)
      let place = block.samples(since: UInt32(first))
      for i in 0..<output.count where place + i >= 0 && place + i < loop.sound.count {
        output[i] = loop.sound[place + i]
      }
      var dueCount = 0
      while loop.nextMessage + dueCount < loop.messages.count, dueCount < due.count {
        let message = loop.messages[loop.nextMessage + dueCount]
        guard message.frame - place < count else { break }
        due[dueCount] = message
        due[dueCount].frame = max(message.frame - place, 0)
        dueCount += 1
      }
      // What finds no room in the server's buffer goes into the next block.
      loop.nextMessage += block.send(due, count: dueCount)
    }
  }
}

private final class LoopReceiver: JackProcessor, @unchecked Sendable {
  private let slot = LoopSlot<LoopTape>()

  func load(_ tape: LoopTape) { slot.set(tape) }

  func unload() { slot.set(nil) }

  override func process(_ block: borrowing JackBlock) {
    let input = block.input(0)
    slot.use { tape in
      let first = tape.startFrame.load(ordering: .acquiring)
      guard first >= 0 else { return }
      let place = block.samples(since: UInt32(first))
      for i in 0..<input.count where place + i >= 0 && place + i < tape.count {
        tape.samples[place + i] = input[i]
      }
      if place + input.count >= tape.count { tape.isFull.store(true, ordering: .releasing) }
    }
  }
}
