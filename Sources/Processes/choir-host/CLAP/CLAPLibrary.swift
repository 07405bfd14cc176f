import CPluginHost
import Foundation
import HostProtocol

/// A file of CLAP plugins.
///
/// - Source: the specification of CLAP 1.2, of which clap_abi.h declares what is used.
final class CLAPLibrary {
  let path: String
  private let entry: clap_plugin_entry
  private let factory: UnsafePointer<clap_plugin_factory>

  /// Opens a file.
  ///
  /// - Parameter name: its path, or its name in a folder of `CLAP_PATH`, with or without `.clap`.
  convenience init(found name: String) throws {
    try self.init(
      path: SharedLibrary.path(of: name, ending: ".clap", in: Self.folders, format: "CLAP"))
  }

  init(path: String) throws {
    func fault(_ problem: String) -> PluginFault {
      PluginFault(description: "not loaded: '\(path)' \(problem)")
    }
    let library = try SharedLibrary(path, remedy: "install what it needs")
    guard let symbol = library.symbol("clap_entry") else {
      throw fault("has no CLAP plugins; correct 'library'")
    }
    entry = symbol.assumingMemoryBound(to: clap_plugin_entry.self).pointee
    guard entry.clap_version.major >= 1 else {
      throw fault("is of a CLAP before 1.0, which no host runs; install a newer one")
    }
    guard entry.`init`(path) else {
      throw fault("refuses to start; install what it needs, and see its documentation")
    }
    guard let factory = entry.get_factory(CLAP_PLUGIN_FACTORY_ID) else {
      entry.deinit()
      throw fault("makes no plugins; correct 'library'")
    }
    (self.path, self.factory) = (path, factory.assumingMemoryBound(to: clap_plugin_factory.self))
  }

  deinit { entry.deinit() }

  private static var folders: [String] {
    PluginAddress.clapFolders(in: ProcessInfo.processInfo.environment)
  }

  /// Returns the plugins of all files that can be loaded.
  static func installed() -> [PluginDescription] {
    SharedLibrary.files(ending: ".clap", in: folders).flatMap { path in
      (try? CLAPLibrary(path: path)).map { library in
        library.ids.compactMap { try? library.description(id: $0) }
      } ?? []
    }
  }

  private var ids: [String] {
    (0..<factory.pointee.get_plugin_count(factory)).compactMap { index in
      factory.pointee.get_plugin_descriptor(factory, index).map { String(cString: $0.pointee.id) }
    }
  }

  /// Makes a plugin for a host.
  func plugin(_ id: String, for host: UnsafePointer<clap_host>) throws -> UnsafePointer<clap_plugin>
  {
    guard ids.contains(id) else {
      throw PluginFault(
        description: "'\(path)' has no plugin '\(id)'; set 'label' to "
          + ids.joined(separator: " or "))
    }
    guard let plugin = factory.pointee.create_plugin(factory, host, id) else {
      throw PluginFault(
        description: "not started: '\(path)' makes no '\(id)'; see its documentation")
    }
    return plugin
  }

  func description(id: String) throws -> PluginDescription {
    try CLAPInstance(id, of: self).description
  }
}
