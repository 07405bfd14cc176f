import Foundation
import HostProtocol

/// Finds, describes and loads plugins of every format.
enum PluginLoader {
  /// Returns all plugins that are installed here.
  static func all() -> [PluginDescription] {
    LV2World().all() + LADSPALibrary.installed().flatMap { $0.descriptions() }
      + CLAPLibrary.installed()
  }

  static func description(of address: PluginAddress) throws -> PluginDescription {
    switch address {
    case .lv2(let uri):
      let world = LV2World()
      return try world.description(of: world.plugin(uri))
    case .ladspa(let library, let label):
      return try LADSPALibrary(found: library).description(label: label)
    case .clap(let library, let id):
      return try CLAPLibrary(found: library).description(id: id)
    case .library(let path): return try ChoirSubjectLibrary.description(path: path)
    }
  }

  /// Loads the plugin of a session, with its controls set.
  static func running(_ session: HostSession) throws -> any RunningPlugin {
    guard 1...65_536 ~= session.blockSize else {
      throw PluginFault(description: "blockSize is \(session.blockSize); choose 1 to 65536")
    }
    let description = try Self.description(of: session.plugin)
    if let obstacle = description.obstacle { throw PluginFault(description: obstacle) }
    let values = session.controls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (name, value) in values + session.changes.map({ ($0.control, $0.value) })
    where !description.takesAnyControl {
      try check(name, value, description)
    }
    return switch session.plugin {
    case .lv2: try LV2Plugin(session, description)
    case .ladspa: try LADSPAPlugin(session, description)
    case .clap: try CLAPPlugin(session, description)
    case .library: try ChoirSubjectPlugin(session, description)
    }
  }

  private static func check(_ name: String, _ value: Double, _ plugin: PluginDescription) throws {
    guard let port = plugin.control(name) else {
      throw PluginFault(description: "has no control '\(name)'; it has \(plugin.controlText)")
    }
    // Ports hold single floats, whose bounds may lie below the doubles of the same name.
    let slack = 1e-6 * max(1, abs(value))
    let (low, high) = (port.minimum ?? -.infinity, port.maximum ?? .infinity)
    if value >= low - slack, value <= high + slack { return }
    let range = [port.minimum, port.maximum].map { $0.map { String(format: "%g", $0) } ?? "…" }
      .joined(separator: " to ")
    throw PluginFault(
      description:
        "port '\(port.symbol)' is \(value), but takes \(range); choose a score or a value within")
  }
}

/// A shared library; it stays loaded until the process ends.
struct SharedLibrary {
  let path: String
  private let handle: UnsafeMutableRawPointer

  /// - Parameter remedy: what to do if it can't be loaded.
  init(_ path: String, remedy: String) throws {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw PluginFault(description: "not loaded: \(String(cString: dlerror())); \(remedy)")
    }
    (self.path, self.handle) = (path, handle)
  }

  func function<Function>(_ name: String, _: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
  }

  func symbol(_ name: String) -> UnsafeRawPointer? {
    dlsym(handle, name).map { UnsafeRawPointer($0) }
  }

  /// Returns the path of a library of plugins.
  ///
  /// - Parameter name: its path, or its name in one of the folders, with or without the ending.
  static func path(
    of name: String, ending: String, in folders: [String], format: String
  ) throws -> String {
    let names = name.hasSuffix(ending) ? [name] : [name, name + ending]
    let candidates =
      name.contains("/") ? names : folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
    if let path = candidates.first(where: FileManager.default.fileExists) { return path }
    let places = name.contains("/") ? "" : " in \(folders.joined(separator: ":"))"
    throw PluginFault(
      description:
        "not found: there is no \(format) library '\(name)'\(places); install its package, "
        + "or write its path")
  }

  /// Returns the paths of all libraries in folders.
  static func files(ending: String, in folders: [String]) -> [String] {
    folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }
  }
}
