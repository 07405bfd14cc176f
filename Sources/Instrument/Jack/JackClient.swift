import CJACK
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
  public let sampleRateHz: Double
  private let client: OpaquePointer
  let callback: JackCallback

  /// Opens a client of a running server and registers its ports.
  ///
  /// - Parameter server: name of the server; by default that of the environment.
  public init(_ wanted: String, _ ports: Ports, server: String? = nil) throws(JackError) {
    Self.silence
    var status = jack_status_t(rawValue: 0)
    guard let client = choir_jack_open(wanted, server, JackNoStartServer, &status) else {
      let isRunning = status.rawValue & (JackServerFailed.rawValue | JackServerError.rawValue) == 0
      throw isRunning ? .refused(client: wanted) : .noServer
    }
    self.client = client
    self.ports = ports
    name = String(cString: jack_get_client_name(client))
    sampleRateHz = Double(jack_get_sample_rate(client))
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
    let midiIn = try ports.midiInput.map { (port) throws(JackError) in try register(port, .midiSink)
    }
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
  ///
  /// A client whose server has gone stays in memory: libjack's own thread may still be at the news, and
  /// `jack_client_close` would wait for it forever.
  public func close() {
    isClosed.withLock { isClosed in
      if !isClosed, !isGone { jack_client_close(client) }
      isClosed = true
    }
  }

  // MARK: - The server

  /// Frames in a block; 0 once the client has left.
  public var blockSize: Int { present { Int(jack_get_buffer_size($0)) } ?? 0 }
  /// Share of the time that the whole graph needs, as the server states it, 0 to 1; 0 once the client
  /// has left.
  public var serverLoad: Double { present { Double(jack_cpu_load($0)) / 100 } ?? 0 }

  /// Asks the server; returns `nil` once the client has left, and libjack has freed it.
  private func present<Answer: Sendable>(_ ask: (OpaquePointer) -> Answer) -> Answer? {
    isClosed.withLock { $0 || isGone ? nil : ask(client) }
  }

  /// True once the server has ended or dropped the client.
  public var isGone: Bool { callback.isGone.load(ordering: .acquiring) }
  /// Periods that the server missed, whoever was late.
  public var xrunCount: Int { callback.xruns.load(ordering: .relaxed) }
  /// Allocations, releases, locks and waits of the processor since the start.
  public var allocationCount: Int { callback.allocations.load(ordering: .relaxed) }
  public var blockCount: Int { callback.blocks.load(ordering: .relaxed) }
  /// Blocks that needed more processor time than they last: missed periods that are the client's own
  /// fault, and not that of another program that took the core.
  public var lateBlockCount: Int { callback.lateBlocks.load(ordering: .relaxed) }
  /// Longest time of a block over its duration, by the clock.
  public var maxLoad: Double { Double(callback.maxShare.load(ordering: .relaxed)) / 1e6 }

  /// Throws if the server is gone.
  public func check() throws(JackError) {
    if isGone { throw .serverGone(reason: "") }
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
    throw .noPort(
      name, kind: kind.rawValue,
      others: names.filter { !$0.hasPrefix(own) && !$0.hasPrefix("choir-probe-") })
  }

  /// Connects two ports; a connection that exists stays.
  public func connect(_ from: String, _ to: String) throws(JackError) {
    let status = jack_connect(client, from, to)
    guard status == 0 || status == EEXIST else { throw .notConnected(from: from, to: to) }
  }
}
