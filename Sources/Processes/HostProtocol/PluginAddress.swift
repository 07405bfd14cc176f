/// The place where a plugin is found.
public enum PluginAddress: Codable, Hashable, Sendable {
  case lv2(uri: String)
  /// A plugin in a LADSPA library, a path or a name in `LADSPA_PATH`.
  case ladspa(library: String, label: String)
  /// A library with the functions of choir_subject.h.
  case library(path: String)

  /// The folders of LADSPA libraries: those of `LADSPA_PATH`, or where systems have them.
  public static func ladspaFolders(in environment: [String: String]) -> [String] {
    (environment["LADSPA_PATH"]
      ?? "/usr/lib/ladspa:/usr/local/lib/ladspa:/usr/lib/x86_64-linux-gnu/ladspa:"
      + "/usr/lib/aarch64-linux-gnu/ladspa").split(separator: ":").map(String.init)
  }
}

extension PluginAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .lv2(let uri): "the LV2 plugin \(uri)"
    case .ladspa(let library, let label): "the LADSPA plugin \(label) of \(library)"
    case .library(let path): "the library \(path)"
    }
  }
}
