import AllocationProbe
import CJACK
import DSP
import Foundation
import Synchronization

/// A client of a JACK server, by libjack; PipeWire has the same interface.
///
/// The control thread opens, connects and closes it. The server's audio thread calls the processor
/// block by block; what that allocates and locks is counted.
public final class JackClient: @unchecked Sendable {
  /// The ports to register, by name, in the order of their buffers.
  public struct Ports: Sendable {
    public var inputs: [String]
    public var outputs: [String]
    public var midiInput: String?
    public var midiOutput: String?

    public init(
      inputs: [String] = [], outputs: [String] = [], midiInput: String? = nil,
      midiOutput: String? = nil
    ) {
      (self.inputs, self.outputs) = (inputs, outputs)
      (self.midiInput, self.midiOutput) = (midiInput, midiOutput)
    }
  }

  /// Type of a port and its direction, seen from the server.
  public enum PortKind: String, Sendable {
    /// A port that gives sound, such as a microphone.
    case audioSource = "audio output"
    /// A port that takes sound.
    case audioSink = "audio input"
    case midiSource = "MIDI output"
    case midiSink = "MIDI input"

    fileprivate var type: String {
      switch self {
      case .audioSource, .audioSink: "32 bit float mono audio"
      case .midiSource, .midiSink: "8 bit raw midi"
      }
    }

    fileprivate var flag: UInt {
      switch self {
      case .audioSource, .midiSource: UInt(JackPortIsOutput.rawValue)
      case .audioSink, .midiSink: UInt(JackPortIsInput.rawValue)
      }
    }
  }

  /// The name that the server gave, which may have a number.
  public let name: String
  public let ports: Ports
  private let client: OpaquePointer
  private let callback: JackCallback

  /// Opens a client of a running server and registers its ports.
  public init(_ wanted: String, _ ports: Ports) throws(JackError) {
    Self.silence
    var status = jack_status_t(rawValue: 0)
    guard let client = choir_jack_open(wanted, JackNoStartServer, &status) else {
      let isRunning = status.rawValue & (JackServerFailed.rawValue | JackServerError.rawValue) == 0
      throw isRunning ? .refused(client: wanted) : .noServer
    }
    self.client = client
    self.ports = ports
    name = String(cString: jack_get_client_name(client))
    func register(_ port: String, _ kind: PortKind) throws(JackError) -> OpaquePointer {
      guard let made = jack_port_register(client, port, kind.type, kind.flag, 0) else {
        jack_client_close(client)
        throw .refused(client: wanted)
      }
      return made
    }
    var all: (ins: [OpaquePointer], outs: [OpaquePointer]) = ([], [])
    for port in ports.inputs { all.ins.append(try register(port, .audioSink)) }
    for port in ports.outputs { all.outs.append(try register(port, .audioSource)) }
    let midiIn = try ports.midiInput.map { (port) throws(JackError) in try register(port, .midiSink) }
    let midiOut = try ports.midiOutput.map { (port) throws(JackError) in
      try register(port, .midiSource)
    }
    callback = JackCallback(client, all.ins, all.outs, midiIn, midiOut)
    let context = Unmanaged.passUnretained(callback).toOpaque()
    jack_set_process_callback(client, processBlock, context)
    jack_set_xrun_callback(client, noteXrun, context)
    jack_on_info_shutdown(client, noteShutdown, context)
  }

  deinit { close() }

  /// libjack prints every failure itself; these errors have words of their own.
  private static let silence: Void = {
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
  }()

  /// Starts the calls of the processor.
  public func activate(_ processor: JackProcessor) throws(JackError) {
    callback.processor = processor
    guard jack_activate(client) == 0 else { throw .notActivated(client: name) }
  }

  private let isClosed = Mutex(false)

  /// Ends the calls and leaves the server.
  public func close() {
    isClosed.withLock { isClosed in
      if !isClosed { jack_client_close(client) }
      isClosed = true
    }
  }

  // MARK: - The server

  public var sampleRateHz: Double { Double(jack_get_sample_rate(client)) }
  public var blockSize: Int { Int(jack_get_buffer_size(client)) }
  /// Share of the time that the whole graph needs, as the server states it, 0 to 1.
  public var serverLoad: Double { Double(jack_cpu_load(client)) / 100 }
  /// True once the server has ended or dropped the client.
  public var isGone: Bool { callback.isGone.load(ordering: .acquiring) }
  public var xrunCount: Int { callback.xruns.load(ordering: .relaxed) }
  /// Allocations, releases and locks of the processor since the start.
  public var allocationCount: Int { callback.allocations.load(ordering: .relaxed) }
  public var blockCount: Int { callback.blocks.load(ordering: .relaxed) }
  /// Longest time of a block over its duration.
  public var maxLoad: Double { Double(callback.maxShare.load(ordering: .relaxed)) / 1e6 }

  /// Throws if the server is gone.
  public func check() throws(JackError) {
    if isGone { throw .serverGone(reason: "") }
  }

  public func setBlockSize(_ frames: Int) throws(JackError) {
    guard jack_set_buffer_size(client, jack_nframes_t(frames)) == 0, blockSize == frames else {
      throw .blockSize(frames)
    }
  }

  /// Switches between running by the clock and as fast as possible.
  public func setFreewheel(_ isOn: Bool) { jack_set_freewheel(client, isOn ? 1 : 0) }

  /// Names of the server's ports.
  ///
  /// - Parameter onlyPhysical: true for those of devices.
  public func portNames(_ kind: PortKind, onlyPhysical: Bool = false) -> [String] {
    let flags = kind.flag | (onlyPhysical ? UInt(JackPortIsPhysical.rawValue) : 0)
    guard let names = jack_get_ports(client, nil, kind.type, flags) else { return [] }
    defer { jack_free(names) }
    var found: [String] = []
    while let name = names[found.count] { found.append(String(cString: name)) }
    return found
  }

  /// Returns the port of a name, or the first of a client's.
  public func port(_ name: String, _ kind: PortKind) throws(JackError) -> String {
    let names = portNames(kind)
    let own = "\(self.name):"
    if let found = names.first(where: { $0 == name }) { return found }
    if let found = names.first(where: { $0.hasPrefix("\(name):") }) { return found }
    throw .noPort(name, kind: kind.rawValue, others: names.filter { !$0.hasPrefix(own) })
  }

  /// Connects two ports; a connection that exists stays.
  public func connect(_ from: String, _ to: String) throws(JackError) {
    let status = jack_connect(client, from, to)
    guard status == 0 || status == EEXIST else { throw .notConnected(from: from, to: to) }
  }

  public func disconnect(_ from: String, _ to: String) { jack_disconnect(client, from, to) }
}

/// The work of a client, block by block, on the server's audio thread: no allocation, no lock.
open class JackProcessor: @unchecked Sendable {
  public init() {}

  open func process(_ block: borrowing JackBlock) {}
}

/// One block of a client's ports.
public struct JackBlock: ~Copyable {
  public let count: Int
  /// Time of the first sample, in samples since the server's start. It jumps after an xrun.
  public let startFrame: Int
  fileprivate let callback: Unmanaged<JackCallback>

  /// Samples of an input.
  public func input(_ index: Int) -> UnsafeBufferPointer<Float> {
    callback._withUnsafeGuaranteedRef { UnsafeBufferPointer($0.samples($0.inputs[index], count)) }
  }

  /// Samples of an output, to be written.
  public func output(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    callback._withUnsafeGuaranteedRef { $0.samples($0.outputs[index], count) }
  }

  /// Number of MIDI events.
  public var eventCount: Int {
    callback._withUnsafeGuaranteedRef { callback in
      callback.midiInput.map { Int(jack_midi_get_event_count(jack_port_get_buffer($0, frames))) } ?? 0
    }
  }

  /// A MIDI message of up to three bytes; longer ones have a status of 0.
  public func event(_ index: Int) -> JackMIDIEvent {
    callback._withUnsafeGuaranteedRef { callback in
      var raw = jack_midi_event_t()
      guard let port = callback.midiInput, let buffer = jack_port_get_buffer(port, frames),
        jack_midi_event_get(&raw, buffer, UInt32(index)) == 0, let bytes = raw.buffer, raw.size > 0,
        raw.size <= 3
      else { return JackMIDIEvent(frame: 0, status: 0, first: 0, second: 0) }
      return JackMIDIEvent(
        frame: min(Int(raw.time), count - 1), status: bytes[0], first: raw.size > 1 ? bytes[1] : 0,
        second: raw.size > 2 ? bytes[2] : 0)
    }
  }

  /// Sends MIDI messages; call it once a block, also without any, in order of time.
  public func send(_ events: borrowing RealtimeArray<JackMIDIEvent>, count eventCount: Int) {
    callback._withUnsafeGuaranteedRef { callback in
      guard let port = callback.midiOutput, let buffer = jack_port_get_buffer(port, frames) else {
        return
      }
      jack_midi_clear_buffer(buffer)
      for index in 0..<eventCount {
        let event = events[index]
        guard let bytes = jack_midi_event_reserve(buffer, UInt32(event.frame), 3) else { return }
        (bytes[0], bytes[1], bytes[2]) = (event.status, event.first, event.second)
      }
    }
  }

  private var frames: jack_nframes_t { jack_nframes_t(count) }
}

/// A short MIDI message within a block.
public struct JackMIDIEvent: BitwiseCopyable, Sendable, Equatable {
  public var frame: Int
  public var status: UInt8
  public var first: UInt8
  public var second: UInt8

  public init(frame: Int, status: UInt8, first: UInt8, second: UInt8) {
    (self.frame, self.status, self.first, self.second) = (frame, status, first, second)
  }
}

/// What the server's threads see of a client.
private final class JackCallback: @unchecked Sendable {
  let client: OpaquePointer
  let inputs: UnsafeMutablePointer<OpaquePointer>
  let outputs: UnsafeMutablePointer<OpaquePointer>
  let midiInput: OpaquePointer?
  let midiOutput: OpaquePointer?
  var processor = JackProcessor()
  let isGone = Atomic(false)
  let xruns = Atomic(0)
  let allocations = Atomic(0)
  let blocks = Atomic(0)
  /// In millionths.
  let maxShare = Atomic(0)
  private let secondsPerFrame: Double

  init(
    _ client: OpaquePointer, _ inputs: [OpaquePointer], _ outputs: [OpaquePointer],
    _ midiInput: OpaquePointer?, _ midiOutput: OpaquePointer?
  ) {
    func copied(_ ports: [OpaquePointer]) -> UnsafeMutablePointer<OpaquePointer> {
      let copy = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: max(1, ports.count))
      for (index, port) in ports.enumerated() { (copy + index).initialize(to: port) }
      return copy
    }
    self.client = client
    (self.inputs, self.outputs) = (copied(inputs), copied(outputs))
    (self.midiInput, self.midiOutput) = (midiInput, midiOutput)
    secondsPerFrame = 1 / Double(jack_get_sample_rate(client))
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
  }

  func samples(_ port: OpaquePointer, _ count: Int) -> UnsafeMutableBufferPointer<Float> {
    let buffer = jack_port_get_buffer(port, jack_nframes_t(count))
    return UnsafeMutableBufferPointer(
      start: buffer?.assumingMemoryBound(to: Float.self), count: buffer == nil ? 0 : count)
  }

  func run(_ count: Int) {
    let before = Self.seconds
    let start = Int(jack_last_frame_time(client))
    allocation_probe_start()
    processor.process(
      JackBlock(count: count, startFrame: start, callback: .passUnretained(self)))
    let counted = allocation_probe_stop()
    if counted > 0 { allocations.add(counted, ordering: .relaxed) }
    blocks.add(1, ordering: .relaxed)
    let share = Int((Self.seconds - before) / (Double(count) * secondsPerFrame) * 1e6)
    if share > maxShare.load(ordering: .relaxed) { maxShare.store(share, ordering: .relaxed) }
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

private func processBlock(_ count: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.run(Int(count)) }
  return 0
}

private func noteXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef {
    _ = $0.xruns.add(1, ordering: .relaxed)
  }
  return 0
}

private func noteShutdown(
  _ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef {
    $0.isGone.store(true, ordering: .releasing)
  }
}
