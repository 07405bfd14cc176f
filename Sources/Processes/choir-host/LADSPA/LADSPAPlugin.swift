import CPluginHost
import HostProtocol

/// A running LADSPA plugin.
final class LADSPAPlugin: RunningPlugin {
  private let plugin: LADSPA_Descriptor
  private let handle: LADSPA_Handle
  let buffers: PortBuffers

  init(_ session: HostSession, _ description: PluginDescription) throws {
    guard case .ladspa(let library, let label) = session.plugin else { preconditionFailure() }
    let descriptor = try LADSPALibrary(found: library).descriptor(label)
    plugin = descriptor.pointee
    guard let handle = plugin.instantiate(descriptor, UInt(session.sampleRateHz)) else {
      throw PluginFault(
        description: "not started: the plugin refuses \(session.sampleRateHz) Hz or lacks a file; "
          + "see its documentation")
    }
    self.handle = handle
    var buffers = PortBuffers(description, blockSize: session.blockSize)
    let ports = LADSPAPorts.all(of: plugin, sampleRateHz: session.sampleRateHz)
    for (index, port) in ports.enumerated() {
      plugin.connect_port(handle, UInt(index), buffers.add(port).samples.baseAddress)
    }
    for (name, value) in session.controls { buffers.set(name, to: Float(value)) }
    self.buffers = buffers
  }

  func activate() { plugin.activate?(handle) }
  func deactivate() { plugin.deactivate?(handle) }
  func run(_ frameCount: Int) { plugin.run(handle, UInt(frameCount)) }
}
