import CPluginHost
import Foundation
import HostProtocol

/// A library of LADSPA plugins; it stays loaded until the process ends.
struct LADSPALibrary {
  let path: String
  private let entry: LADSPA_Descriptor_Function

  /// Opens a library.
  ///
  /// - Parameter name: its path, or its name in a folder of `LADSPA_PATH`, with or without `.so`.
  init(found name: String) throws {
    try self.init(
      path: SharedLibrary.path(of: name, ending: ".so", in: Self.folders, format: "LADSPA"))
  }

  init(path: String) throws {
    let library = try SharedLibrary(path, remedy: "install what it needs")
    guard let entry = library.function("ladspa_descriptor", LADSPA_Descriptor_Function.self) else {
      throw PluginFault(
        description: "not loaded: '\(path)' has no LADSPA plugins; correct 'library'")
    }
    (self.path, self.entry) = (path, entry)
  }

  private static var folders: [String] {
    PluginAddress.ladspaFolders(in: ProcessInfo.processInfo.environment)
  }

  static func installed() -> [LADSPALibrary] {
    SharedLibrary.files(ending: ".so", in: folders).compactMap { try? LADSPALibrary(path: $0) }
  }

  private var descriptors: [UnsafePointer<LADSPA_Descriptor>] {
    Array(sequence(first: UInt(0)) { $0 + 1 }.lazy.map { entry($0) }.prefix { $0 != nil })
      .compactMap(\.self)
  }

  func descriptor(_ label: String) throws -> UnsafePointer<LADSPA_Descriptor> {
    if let found = descriptors.first(where: { String(cString: $0.pointee.Label) == label }) {
      return found
    }
    let labels = descriptors.map { String(cString: $0.pointee.Label) }
    throw PluginFault(
      description: "'\(path)' has no plugin '\(label)'; set 'label' to "
        + labels.joined(separator: " or "))
  }

  func descriptions() -> [PluginDescription] { descriptors.map { described($0.pointee) } }

  func description(label: String) throws -> PluginDescription {
    described(try descriptor(label).pointee)
  }

  private func described(_ plugin: LADSPA_Descriptor) -> PluginDescription {
    let label = String(cString: plugin.Label)
    return PluginDescription(
      address: .ladspa(library: path, label: label), name: String(cString: plugin.Name),
      libraryPath: path, ports: LADSPAPorts.all(of: plugin))
  }
}

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
