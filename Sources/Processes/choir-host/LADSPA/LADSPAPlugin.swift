import CPluginHost
import HostProtocol

/// A running LADSPA plugin.
final class LADSPAPlugin: RunningPlugin {
  private let plugin: LADSPA_Descriptor
  private let handle: LADSPA_Handle
  let inputs: [GuardedBuffer]
  let outputs: [GuardedBuffer]
  /// One value of each control and meter.
  let others: [GuardedBuffer]
  private let latency: GuardedBuffer?
  let needsFullBlocks = false
  private let description: PluginDescription

  init(_ session: HostSession, _ description: PluginDescription) throws {
    guard case .ladspa(let library, let label) = session.plugin else { preconditionFailure() }
    let descriptor = try LADSPALibrary(found: library).descriptor(label)
    plugin = descriptor.pointee
    guard let handle = plugin.instantiate(descriptor, UInt(session.sampleRateHz)) else {
      throw PluginFault(
        description: "not started: the plugin refuses \(session.sampleRateHz) Hz or lacks a file; "
          + "see its documentation")
    }
    (self.handle, self.description) = (handle, description)
    var (inputs, outputs, others) = ([GuardedBuffer](), [GuardedBuffer](), [GuardedBuffer]())
    var latency: GuardedBuffer?
    let ports = LADSPAPorts.all(of: plugin, sampleRateHz: session.sampleRateHz)
    for (index, port) in ports.enumerated() {
      let isAudio = port.kind == .audioInput || port.kind == .audioOutput
      let buffer = GuardedBuffer(port.symbol, count: isAudio ? session.blockSize : 1)
      switch port.kind {
      case .audioInput: inputs.append(buffer)
      case .audioOutput: outputs.append(buffer)
      default:
        buffer.samples[0] = Float(port.preset ?? 0)
        others.append(buffer)
        if port.isLatency { latency = buffer }
      }
      plugin.connect_port(handle, UInt(index), buffer.samples.baseAddress)
    }
    (self.inputs, self.outputs, self.others, self.latency) = (inputs, outputs, others, latency)
    for (name, value) in session.controls { set(name, to: value) }
  }

  var latencySamples: Int? { latency.flatMap { Int(exactly: $0.samples[0].rounded()) } }

  func value(of control: String) -> Double? {
    let symbol = description.control(control)?.symbol
    return others.first { $0.symbol == symbol }.map { Double($0.samples[0]) }
  }

  func set(_ control: String, to value: Double) {
    let symbol = description.control(control)!.symbol
    others.first { $0.symbol == symbol }!.samples[0] = Float(value)
  }

  func activate() { plugin.activate?(handle) }
  func deactivate() { plugin.deactivate?(handle) }
  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int) {}
  func run(_ frameCount: Int) { plugin.run(handle, UInt(frameCount)) }
  func finishBlock() {}
}
