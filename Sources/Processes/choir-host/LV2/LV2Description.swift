import CPluginHost
import HostProtocol

extension LV2World {
  func description(of plugin: OpaquePointer) -> PluginDescription {
    let uri = String(cString: lilv_node_as_uri(lilv_plugin_get_uri(plugin)))
    let name = lilv_plugin_get_name(plugin)
    defer { lilv_node_free(name) }
    var description = PluginDescription(
      address: .lv2(uri: uri),
      name: name.map { String(cString: lilv_node_as_string($0)) } ?? uri,
      libraryPath: Self.path(lilv_plugin_get_library_uri(plugin)) ?? "", ports: ports(of: plugin))
    description.bundlePath = Self.path(lilv_plugin_get_bundle_uri(plugin))
    description.presets = with(LV2Name.preset) {
      Self.uris(lilv_plugin_get_related(plugin, $0))
    }.sorted()
    description.needsFullBlocks =
      !Set(Self.uris(lilv_plugin_get_required_features(plugin))).isDisjoint(with: [
        LV2Name.fixedBlockLength, LV2Name.powerOf2BlockLength, LV2Name.coarseBlockLength,
      ])
    description.obstacle = obstacle(plugin, description)
    return description
  }

  private func obstacle(_ plugin: OpaquePointer, _ description: PluginDescription) -> String? {
    let missing = Self.uris(lilv_plugin_get_required_features(plugin))
      .filter { !LV2Features.supported.contains($0) }
    if let feature = missing.first {
      let why = feature.contains("/ui") ? "its own window, " : ""
      return
        "not supported: the plugin needs \(why)\(feature), which choir-host does not offer; use a "
        + "host that does, and a subject of kind folder"
    }
    if description.libraryPath.isEmpty {
      return "not loaded: its description names no library; install its package again"
    }
    let unknown = ports(of: plugin, thatMustBeConnected: true).filter { $0.kind == .other }
    if let port = unknown.first {
      return
        "not supported: port '\(port.symbol)' is of an unknown kind; use a host that has it, and a "
        + "subject of kind folder"
    }
    return nil
  }

  // MARK: Ports

  func ports(
    of plugin: OpaquePointer, thatMustBeConnected: Bool = false
  ) -> [PluginDescription.Port] {
    let count = Int(lilv_plugin_get_num_ports(plugin))
    var (low, preset, high) = (
      [Float](repeating: .nan, count: count), [Float](repeating: .nan, count: count),
      [Float](repeating: .nan, count: count)
    )
    lilv_plugin_get_port_ranges_float(plugin, &low, &high, &preset)
    let latency =
      lilv_plugin_has_latency(plugin)
      ? Int(lilv_plugin_get_latency_port_index(plugin)) : nil
    return (0..<count).compactMap { index in
      let lilv = lilv_plugin_get_port_by_index(plugin, UInt32(index))!
      if thatMustBeConnected, has(plugin, lilv, LV2Name.connectionOptional) { return nil }
      var port = port(plugin, lilv)
      if port.kind == .control {
        port.minimum = low[index].exact
        port.maximum = high[index].exact
        port.preset = preset[index].exact
        // The range of such a port is in parts of the sample rate.
        if has(plugin, lilv, LV2Name.sampleRatePort) { (port.minimum, port.maximum) = (nil, nil) }
      }
      port.isLatency = index == latency
      return port
    }
  }

  private func port(_ plugin: OpaquePointer, _ lilv: OpaquePointer) -> PluginDescription.Port {
    let symbol = String(cString: lilv_node_as_string(lilv_port_get_symbol(plugin, lilv)))
    let name = lilv_port_get_name(plugin, lilv)
    defer { lilv_node_free(name) }
    func isA(_ uri: String) -> Bool { with(uri) { lilv_port_is_a(plugin, lilv, $0) } }
    let isInput = isA(LV2Name.inputPort)
    let kind: PluginDescription.Port.Kind =
      if isA(LV2Name.audioPort) {
        isInput ? .audioInput : .audioOutput
      } else if isA(LV2Name.controlPort) {
        isInput ? .control : .meter
      } else if isA(LV2Name.voltagePort) {
        isInput ? .voltageInput : .voltageOutput
      } else if isA(LV2Name.atomPort) {
        isInput ? .events : .eventOutput
      } else {
        .other
      }
    var port = PluginDescription.Port(
      kind: kind, symbol: symbol,
      name: name.map { String(cString: lilv_node_as_string($0)) } ?? symbol)
    port.isSwitch = has(plugin, lilv, LV2Name.toggled)
    if kind == .control, names(plugin, lilv, LV2Name.designation) == LV2Name.enabled {
      port.bypassValue = 0
    }
    port.isSidechain =
      has(plugin, lilv, LV2Name.isSidechain)
      || names(plugin, lilv, LV2Name.sidechainOf) != nil
    port.takesMIDI =
      kind == .events && with(LV2Name.midiEvent) { lilv_port_supports_event(plugin, lilv, $0) }
    port.unit =
      switch names(plugin, lilv, LV2Name.unit) {
      case LV2Name.semitone: .semitones
      case LV2Name.cent: .cents
      case nil: nil
      default: .other
      }
    return port
  }

  private func has(_ plugin: OpaquePointer, _ port: OpaquePointer, _ property: String) -> Bool {
    with(property) { lilv_port_has_property(plugin, port, $0) }
  }

  /// Returns the first URI of a property.
  private func names(
    _ plugin: OpaquePointer, _ port: OpaquePointer, _ property: String
  ) -> String? {
    with(property) { Self.uris(lilv_port_get_value(plugin, port, $0)) }.first
  }
}
