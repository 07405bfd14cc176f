import CPluginHost
import HostProtocol

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
