import CPluginHost
import Foundation
import HostProtocol

/// A running LV2 plugin.
final class LV2Plugin: RunningPlugin {
  private let world = LV2World()
  private let instance: UnsafeMutablePointer<LilvInstance>
  private let features: LV2Features
  private let uri: String
  private let worker: UnsafePointer<LV2_Worker_Interface>?
  private var eventBuffers: [LV2EventBuffer] = []
  private(set) var buffers: PortBuffers
  let needsFullBlocks: Bool
  let expectsFullBlocks: Bool

  /// Room for the events of a block; ports with large messages ask for more.
  private static let sequenceBytes = 65_536

  init(_ session: HostSession, _ description: PluginDescription) throws {
    guard case .lv2(let uri) = session.plugin else { preconditionFailure() }
    self.uri = uri
    buffers = PortBuffers(description, blockSize: session.blockSize)
    let plugin = try world.plugin(uri)
    let required = Set(LV2World.uris(lilv_plugin_get_required_features(plugin)))
    if required.contains(LV2Name.powerOf2BlockLength), session.blockSize.nonzeroBitCount != 1 {
      throw PluginFault(
        description: "takes blocks of 1, 2, 4, 8, … frames only, and blockSize is "
          + "\(session.blockSize); choose one of these")
    }
    needsFullBlocks = description.needsFullBlocks
    // Both are offered to plugins that can do without.
    let known = Set(LV2World.uris(lilv_plugin_get_optional_features(plugin)))
    expectsFullBlocks =
      known.contains(LV2Name.fixedBlockLength)
      || known.contains(LV2Name.powerOf2BlockLength) && session.blockSize.nonzeroBitCount == 1
    features = LV2Features(session, sequenceBytes: Self.sequenceBytes)
    guard
      let instance = lilv_plugin_instantiate(plugin, session.sampleRateHz, features.list)
    else {
      throw PluginFault(
        description:
          "not started: the plugin refuses \(session.sampleRateHz) Hz or its library can't "
          + "be loaded; install what it needs")
    }
    self.instance = instance
    let found = lilv_instance_get_extension_data(instance, LV2Name.workerInterface)
    worker = found.map { $0.assumingMemoryBound(to: LV2_Worker_Interface.self) }
    connect(plugin, description)
    try restore(plugin, session)
    for (name, value) in session.controls { buffers.set(name, to: Float(value)) }
  }

  func activate() { lilv_instance_activate(instance) }
  func deactivate() { lilv_instance_deactivate(instance) }

  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int) {
    for buffer in eventBuffers { buffer.prepare(events, from: frame) }
  }

  func run(_ frameCount: Int) { lilv_instance_run(instance, UInt32(frameCount)) }

  func finishBlock() {
    if let worker { features.worker.finish(lilv_instance_get_handle(instance), worker) }
  }

  // MARK: Start

  private func connect(_ plugin: OpaquePointer, _ description: PluginDescription) {
    for (index, port) in description.ports.enumerated() {
      let place: UnsafeMutableRawPointer?
      switch port.kind {
      case .events, .eventOutput:
        let events = LV2EventBuffer(
          port, byteCount: eventBytes(plugin, UInt32(index)), features.uris)
        eventBuffers.append(events)
        place = events.pointer
      case .other: place = nil
      default: place = UnsafeMutableRawPointer(buffers.add(port).samples.baseAddress)
      }
      lilv_instance_connect_port(instance, UInt32(index), place)
    }
  }

  /// Returns the room that an event port asks for.
  private func eventBytes(_ plugin: OpaquePointer, _ index: UInt32) -> Int {
    let port = lilv_plugin_get_port_by_index(plugin, index)
    let node = world.with(LV2Name.minimumSize) { lilv_port_get(plugin, port, $0) }
    defer { lilv_node_free(node) }
    let wanted = node.map { lilv_node_is_int($0) ? Int(lilv_node_as_int($0)) : 0 } ?? 0
    return max(Self.sequenceBytes, (wanted + 7) & ~7)
  }

  /// Restores the default state of a plugin that has one, and the session's preset.
  private func restore(_ plugin: OpaquePointer, _ session: HostSession) throws {
    if world.with(LV2Name.loadDefaultState, { lilv_plugin_has_feature(plugin, $0) }) {
      restore(lilv_plugin_get_uri(plugin))
    }
    guard let preset = session.preset else { return }
    guard let node = lilv_new_uri(world.pointer, preset) else {
      throw PluginFault(description: "'preset' is '\(preset)', which is no URI; correct it")
    }
    defer { lilv_node_free(node) }
    lilv_world_load_resource(world.pointer, node)
    guard restore(node) else {
      throw PluginFault(
        description: "there is no preset '\(preset)'; choose one that choir-eval subjects plugins "
          + "--json lists for it")
    }
  }

  /// - Returns: true if there is such a state.
  @discardableResult
  private func restore(_ node: OpaquePointer?) -> Bool {
    guard let state = lilv_state_new_from_world(world.pointer, features.map, node) else {
      return false
    }
    apply(state)
    return true
  }

  /// Restores a state, which is freed.
  private func apply(_ state: OpaquePointer) {
    lilv_state_restore(
      state, instance,
      { symbol, handle, value, _, type in
        Unmanaged<LV2Plugin>.fromOpaque(handle!).takeUnretainedValue()
          .set(String(cString: symbol!), value!, type)
      }, Unmanaged.passUnretained(self).toOpaque(), 0, features.list)
    lilv_state_free(state)
  }

  /// Returns a state in Turtle, with the values of the ports.
  func savedState() throws -> Data? {
    guard lilv_instance_get_extension_data(instance, LV2Name.stateInterface) != nil else {
      return nil
    }
    let state = lilv_state_new_from_instance(
      try world.plugin(uri), instance, features.map, nil, nil, nil, nil,
      { symbol, handle, size, type in
        let plugin = Unmanaged<LV2Plugin>.fromOpaque(handle!).takeUnretainedValue()
        size!.pointee = UInt32(MemoryLayout<Float>.size)
        type!.pointee = plugin.features.uris.number(of: LV2Name.float)
        return UnsafeRawPointer(plugin.buffers.place(of: String(cString: symbol!)))
      }, Unmanaged.passUnretained(self).toOpaque(),
      LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue, features.list)
    defer { lilv_state_free(state) }
    guard
      let text = lilv_state_to_string(
        world.pointer, features.map, features.unmap, state, "urn:choir-eval:state", nil)
    else { throw PluginFault(description: "refuses to save its state; report this to its maker") }
    defer { lilv_free(text) }
    return Data(String(cString: text).utf8)
  }

  func restore(_ state: Data) throws -> Bool {
    // Lilv is not to parse a text without a statement.
    let text = String(decoding: state, as: UTF8.self)
    guard !text.isEmpty, let state = lilv_state_new_from_string(world.pointer, features.map, text)
    else { return false }
    apply(state)
    return true
  }

  /// Sets a control from a preset, whose values have types of their own.
  private func set(_ symbol: String, _ value: UnsafeRawPointer, _ type: LV2_URID) {
    let number: Float? =
      switch features.uris.text(of: type).map({ String(cString: $0) }) {
      case LV2Name.float: value.loadUnaligned(as: Float.self)
      case LV2Name.double: Float(value.loadUnaligned(as: Double.self))
      case LV2Name.int, LV2Name.bool: Float(value.loadUnaligned(as: Int32.self))
      case LV2Name.long: Float(value.loadUnaligned(as: Int64.self))
      default: nil
      }
    if let number, number.isFinite { buffers.set(symbol, to: number, isBounded: true) }
  }
}
