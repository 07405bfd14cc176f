import CPluginHost
import Glibc
import HostProtocol
import Synchronization

/// The LV2 plugins that are installed, or that lie in `LV2_PATH`.
final class LV2World {
  let pointer: OpaquePointer

  init() {
    pointer = lilv_world_new()
    lilv_world_load_all(pointer)
  }

  deinit { lilv_world_free(pointer) }

  private var plugins: [OpaquePointer] {
    let all = lilv_world_get_all_plugins(pointer)
    return Array(
      sequence(first: lilv_plugins_begin(all)) { lilv_plugins_next(all, $0) }.lazy
        .prefix { !lilv_plugins_is_end(all, $0) }.compactMap { lilv_plugins_get(all, $0) })
  }

  func plugin(_ uri: String) throws -> OpaquePointer {
    // Lilv prints an error for what is no URI.
    let node = uri.contains(":") ? lilv_new_uri(pointer, uri) : nil
    defer { lilv_node_free(node) }
    let all = lilv_world_get_all_plugins(pointer)
    guard let node, let plugin = lilv_plugins_get_by_uri(all, node) else {
      throw PluginFault(
        description:
          "not found: there is no LV2 plugin '\(uri)'; install its package, name its folder "
          + "in LV2_PATH, or see choir-eval subjects plugins")
    }
    return plugin
  }

  func all() -> [PluginDescription] {
    plugins.map(description).sorted { "\($0.address)" < "\($1.address)" }
  }

  // MARK: Nodes

  /// Calls `body` with the node of a URI.
  func with<Result>(_ uri: String, _ body: (OpaquePointer) -> Result) -> Result {
    let node = lilv_new_uri(pointer, uri)!
    defer { lilv_node_free(node) }
    return body(node)
  }

  /// Returns the URIs of nodes, which are freed.
  static func uris(_ nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes else { return [] }
    defer { lilv_nodes_free(nodes) }
    return sequence(first: lilv_nodes_begin(nodes)) { lilv_nodes_next(nodes, $0) }.lazy
      .prefix { !lilv_nodes_is_end(nodes, $0) }
      .compactMap { lilv_nodes_get(nodes, $0) }.filter { lilv_node_is_uri($0) }
      .map { String(cString: lilv_node_as_uri($0)) }
  }

  static func path(_ node: OpaquePointer?) -> String? {
    guard let path = lilv_node_get_path(node, nil) else { return nil }
    defer { lilv_free(path) }
    return String(cString: path)
  }
}

/// Numbers for URIs, from 1 in the order of first use. Plugins may ask from any thread.
final class LV2URIs: Sendable {
  private struct Table {
    var numbers: [String: LV2_URID] = [:]
    var texts: [UInt] = []
  }

  private let table = Mutex(Table())

  func number(of uri: String) -> LV2_URID {
    table.withLock { table in
      if let known = table.numbers[uri] { return known }
      table.texts.append(UInt(bitPattern: strdup(uri)))
      let number = LV2_URID(table.texts.count)
      table.numbers[uri] = number
      return number
    }
  }

  /// Returns the URI of a number; `nil` if no URI has it.
  func text(of number: LV2_URID) -> UnsafePointer<CChar>? {
    table.withLock { table in
      guard 1...table.texts.count ~= Int(number) else { return nil }
      return UnsafePointer(bitPattern: table.texts[Int(number) - 1])
    }
  }

  static func at(_ handle: UnsafeMutableRawPointer) -> LV2URIs {
    Unmanaged.fromOpaque(handle).takeUnretainedValue()
  }
}
