import CPluginHost
import Foundation
import HostProtocol

/// A running CLAP plugin.
final class CLAPPlugin: RunningPlugin {
  private let instance: CLAPInstance
  private let session: HostSession
  private let events: CLAPEvents
  private let speaksMIDI: Bool
  private let inputs: CLAPAudioBuffers
  private let outputs: CLAPAudioBuffers
  private(set) var buffers: PortBuffers
  private var process = clap_process()
  private var hasFailed = false

  private var plugin: UnsafePointer<clap_plugin> { instance.plugin }

  init(_ session: HostSession, _ description: PluginDescription) throws {
    guard case .clap(let library, let id) = session.plugin else { preconditionFailure() }
    self.session = session
    instance = try CLAPInstance(id, of: CLAPLibrary(found: library))
    speaksMIDI = instance.speaksMIDI
    events = CLAPEvents(
      capacity: session.events.count + session.changes.count + instance.parameters.count)
    var buffers = PortBuffers(description, blockSize: session.blockSize)
    inputs = CLAPAudioBuffers(
      instance.channelCounts(isInput: true),
      description.ports(.audioInput).map { buffers.add($0).samples.baseAddress! })
    outputs = CLAPAudioBuffers(
      instance.channelCounts(isInput: false),
      description.ports(.audioOutput).map { buffers.add($0).samples.baseAddress! })
    self.buffers = buffers
    process.audio_inputs = UnsafePointer(inputs.ports)
    process.audio_outputs = outputs.ports
    process.audio_inputs_count = UInt32(inputs.count)
    process.audio_outputs_count = UInt32(outputs.count)
    process.in_events = UnsafePointer(events.input)
    process.out_events = UnsafePointer(events.output)
    for (name, value) in session.controls { try set(name, to: value, at: 0) }
    instance.extension(CLAP_EXT_PARAMS, clap_plugin_params.self)?
      .flush(plugin, events.input, events.output)
    events.removeAll()
  }

  var latencySamples: Int? {
    instance.extension(CLAP_EXT_LATENCY, clap_plugin_latency.self).map { Int($0.get(plugin)) }
  }

  private func parameter(_ control: String) -> CLAPInstance.Parameter? {
    let parameters = instance.parameters
    return parameters.first { $0.port.symbol == control }
      ?? parameters.first { $0.port.name == control }
  }

  func value(of control: String) -> Double? {
    guard let parameter = parameter(control) else { return nil }
    var value = 0.0
    let known = instance.extension(CLAP_EXT_PARAMS, clap_plugin_params.self)
    return known?.get_value(plugin, parameter.id, &value) == true ? value : nil
  }

  var takesTimedValues: Bool { true }

  func set(_ control: String, to value: Double, at frame: Int) throws {
    if let parameter = parameter(control) { events.add(value, of: parameter, at: frame) }
  }

  private var stateFunctions: clap_plugin_state? {
    instance.extension(CLAP_EXT_STATE, clap_plugin_state.self)
  }

  func savedState() throws -> Data? {
    guard let functions = stateFunctions else { return nil }
    var data = Data()
    let isSaved = withUnsafeMutablePointer(to: &data) { place in
      var stream = clap_ostream(ctx: place) { stream, bytes, count in
        stream!.pointee.ctx.assumingMemoryBound(to: Data.self).pointee
          .append(Data(bytes: bytes!, count: Int(count)))
        return Int64(count)
      }
      return functions.save(plugin, &stream)
    }
    guard isSaved else {
      throw PluginFault(description: "refuses to save its state; report this to its maker")
    }
    return data
  }

  func restore(_ state: Data) throws -> Bool {
    guard let functions = stateFunctions else { return false }
    var rest = state[...]
    return withUnsafeMutablePointer(to: &rest) { place in
      var stream = clap_istream(ctx: place) { stream, bytes, count in
        let rest = stream!.pointee.ctx.assumingMemoryBound(to: Data.self)
        let part = rest.pointee.prefix(Int(clamping: count))
        part.copyBytes(to: bytes!.assumingMemoryBound(to: UInt8.self), count: part.count)
        rest.pointee = rest.pointee.dropFirst(part.count)
        return Int64(part.count)
      }
      return functions.load(plugin, &stream)
    }
  }

  func activate() throws {
    let size = UInt32(session.blockSize)
    guard plugin.pointee.activate(plugin, session.sampleRateHz, 1, size),
      plugin.pointee.start_processing(plugin)
    else {
      throw PluginFault(
        description: "not started: the plugin refuses \(session.sampleRateHz) Hz with blocks of "
          + "\(size); see its documentation")
    }
    plugin.pointee.reset(plugin)
    process.steady_time = 0
    // Whoever asked for a restart before this start has it.
    _ = instance.takeRestart()
  }

  func deactivate() {
    plugin.pointee.stop_processing(plugin)
    plugin.pointee.deactivate(plugin)
  }

  func prepare(_ messages: ArraySlice<HostSession.Event>, from frame: Int) {
    for message in messages where !message.bytes.isEmpty {
      let place = max(0, message.frame - frame)
      speaksMIDI
        ? events.add(midi: message.bytes, at: place) : events.add(noteOf: message.bytes, at: place)
    }
  }

  func run(_ frameCount: Int) {
    process.frames_count = UInt32(frameCount)
    instance.isProcessing = true
    if plugin.pointee.process(plugin, &process) == Int32(CLAP_PROCESS_ERROR) {
      hasFailed = true
    }
    instance.isProcessing = false
  }

  func finishBlock() throws {
    process.steady_time += Int64(process.frames_count)
    events.removeAll()
    guard !hasFailed else {
      throw PluginFault(
        description: "failed: the plugin answers a block with an error; report this to its maker")
    }
    instance.finishCallback()
    if instance.takeRestart() {
      deactivate()
      try activate()
    }
  }
}

/// The audio ports of one direction, in memory that the plugin reads.
final class CLAPAudioBuffers {
  let ports: UnsafeMutablePointer<clap_audio_buffer>
  let count: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(_ channelCounts: [Int], _ samples: [UnsafeMutablePointer<Float>]) {
    count = channelCounts.count
    ports = .allocate(capacity: max(1, count))
    channels = .allocate(capacity: max(1, samples.count))
    for (index, place) in samples.enumerated() { (channels + index).initialize(to: place) }
    var first = 0
    for (index, count) in channelCounts.enumerated() {
      (ports + index).initialize(
        to: clap_audio_buffer(
          data32: channels + first, data64: nil, channel_count: UInt32(count), latency: 0,
          constant_mask: 0))
      first += count
    }
  }

  deinit {
    ports.deallocate()
    channels.deallocate()
  }
}
