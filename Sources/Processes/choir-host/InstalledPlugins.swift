import HostProtocol

/// The plugins that can be found here.
enum InstalledPlugins {
  static func all() -> [PluginDescription] {
    LV2World().all() + LADSPALibrary.installed().flatMap { $0.descriptions() }
  }

  static func description(of address: PluginAddress) throws -> PluginDescription {
    switch address {
    case .lv2(let uri):
      let world = LV2World()
      return try world.description(of: world.plugin(uri))
    case .ladspa(let library, let label):
      return try LADSPALibrary(found: library).description(label: label)
    case .library(let path): return try ChoirSubjectLibrary.description(path: path)
    }
  }
}
