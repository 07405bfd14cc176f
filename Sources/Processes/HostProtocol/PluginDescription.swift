import Foundation

/// A plugin as it describes itself.
public struct PluginDescription: Codable, Equatable, Sendable {
  public var address: PluginAddress
  public var name: String
  /// The shared library with its code.
  public var libraryPath: String
  /// The folder that belongs to it; `nil` if there is only the library.
  public var bundlePath: String?
  public var ports: [Port]
  /// The URIs of its presets.
  public var presets: [String] = []
  /// True if it requires blocks of one length, which the host fills up with silence.
  public var needsFullBlocks = false
  /// True if its controls are known only once it runs.
  public var takesAnyControl = false
  /// Reason why the host can't run it, with a remedy; `nil` if it can.
  public var obstacle: String?

  public init(address: PluginAddress, name: String, libraryPath: String, ports: [Port]) {
    (self.address, self.name, self.libraryPath) = (address, name, libraryPath)
    self.ports = ports
  }

  public struct Port: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
      case audioInput, audioOutput, control, meter
      /// A sequence of timed events, such as MIDI.
      case events, eventOutput
      /// A signal of control voltages: zeros as input, ignored as output.
      case voltageInput, voltageOutput
      /// Anything else; it stays unconnected.
      case other
    }

    public enum Unit: String, Codable, Sendable { case semitones, cents, other }

    public var kind: Kind
    /// Name of letters, digits and underscores that is unique in the plugin.
    public var symbol: String
    /// Name for people.
    public var name: String
    public var minimum: Double?
    public var maximum: Double?
    public var preset: Double?
    public var unit: Unit?
    /// True for a switch with the values 0 and 1.
    public var isSwitch = false
    /// Value at which the plugin passes its input on; `nil` for a control that is no bypass.
    public var bypassValue: Double?
    /// True for the output that states the latency in samples.
    public var isLatency = false
    /// True for an input that only steers the plugin; it hears silence.
    public var isSidechain = false
    /// True for an event port that takes MIDI.
    public var takesMIDI = false

    public init(kind: Kind, symbol: String, name: String) {
      (self.kind, self.symbol, self.name) = (kind, symbol, name)
    }
  }

  public func ports(_ kind: Port.Kind) -> [Port] { ports.filter { $0.kind == kind } }

  /// Returns the control of a symbol, or of a name for people.
  public func control(_ name: String) -> Port? {
    let controls = ports(.control)
    return controls.first { $0.symbol == name } ?? controls.first { $0.name == name }
  }

  /// Names of all controls with their ranges, for errors.
  public var controlText: String {
    ports(.control).map { port in
      let range = port.minimum.flatMap { low in
        port.maximum.map { String(format: " (%g to %g)", low, $0) }
      }
      return port.symbol + (range ?? "")
    }.joined(separator: ", ")
  }
}

/// The place where a plugin is found.
public enum PluginAddress: Codable, Hashable, Sendable {
  case lv2(uri: String)
  /// A plugin in a LADSPA library, a path or a name in `LADSPA_PATH`.
  case ladspa(library: String, label: String)
  /// A plugin in a file of CLAP, a path or a name in `CLAP_PATH`.
  case clap(library: String, id: String)
  /// A library with the functions of choir_subject.h.
  case library(path: String)

  /// The folders of LADSPA libraries: those of `LADSPA_PATH`, or where systems have them.
  public static func ladspaFolders(in environment: [String: String]) -> [String] {
    (environment["LADSPA_PATH"]
      ?? "/usr/lib/ladspa:/usr/local/lib/ladspa:/usr/lib/x86_64-linux-gnu/ladspa:"
      + "/usr/lib/aarch64-linux-gnu/ladspa").split(separator: ":").map(String.init)
  }

  /// The folders of CLAP files: those of `CLAP_PATH`, and where the specification has them.
  public static func clapFolders(in environment: [String: String]) -> [String] {
    let own = environment["CLAP_PATH"]?.split(separator: ":").map(String.init) ?? []
    let home = environment["HOME"].map { ["\($0)/.clap"] } ?? []
    return own + home + ["/usr/lib/clap"]
  }
}

extension PluginAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .lv2(let uri): "the LV2 plugin \(uri)"
    case .ladspa(let library, let label): "the LADSPA plugin \(label) of \(library)"
    case .clap(let library, let id): "the CLAP plugin \(id) of \(library)"
    case .library(let path): "the library \(path)"
    }
  }
}
