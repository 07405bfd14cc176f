import Foundation
import HostProtocol

/// Loads plugins of every format.
enum PluginLoader {
  /// Loads the plugin of a session, with its controls set.
  static func running(_ session: HostSession) throws -> any RunningPlugin {
    guard 1...65_536 ~= session.blockSize else {
      throw PluginFault(description: "blockSize is \(session.blockSize); choose 1 to 65536")
    }
    let description = try InstalledPlugins.description(of: session.plugin)
    if let obstacle = description.obstacle { throw PluginFault(description: obstacle) }
    let values = session.controls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (name, value) in values + session.changes.map({ ($0.control, $0.value) })
    where !description.takesAnyControl {
      try check(name, value, description)
    }
    switch session.plugin {
    case .lv2: return try LV2Plugin(session, description)
    case .ladspa: return try LADSPAPlugin(session, description)
    case .library(let path): return try ChoirSubjectPlugin(session, path: path)
    }
  }

  private static func check(
    _ name: String, _ value: Double, _ plugin: PluginDescription
  ) throws {
    guard let port = plugin.control(name) else {
      throw PluginFault(
        description: "has no control '\(name)'; it has \(plugin.controlWords)")
    }
    // Ports hold single floats, whose bounds may lie below the doubles of the same name.
    let slack = 1e-6 * max(1, abs(value))
    if let low = port.minimum, value < low - slack { throw outside(port, value) }
    if let high = port.maximum, value > high + slack { throw outside(port, value) }
  }

  private static func outside(_ port: PluginDescription.Port, _ value: Double) -> PluginFault {
    let range = [port.minimum, port.maximum].map { $0.map { String(format: "%g", $0) } ?? "…" }
      .joined(separator: " to ")
    return PluginFault(
      description:
        "port '\(port.symbol)' is \(value), but takes \(range); choose a score or a value "
        + "within")
  }
}
