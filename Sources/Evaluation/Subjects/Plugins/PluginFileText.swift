import Corpus
import HostProtocol
import Platform

/// The text of a file that describes a plugin as a subject.
package struct PluginFileText {
  private let plugin: PluginDescription
  private let pitch: PitchPort

  /// - Throws: if the host can't run the plugin, or if no control looks like a pitch.
  package init(_ plugin: PluginDescription) throws(Refusal) {
    if let obstacle = plugin.obstacle { throw Refusal(obstacle) }
    (self.plugin, pitch) = (plugin, try PitchPort(of: plugin))
  }

  package var text: String {
    var lines = ["id: \(id)", "title: \(quoted(plugin.name))"]
    switch plugin.address {
    case .lv2(let uri): lines += ["kind: lv2", "uri: \(quoted(uri))"]
    case .ladspa(let library, let label):
      lines += ["kind: ladspa", "library: \(quoted(library))", "label: \(quoted(label))"]
    case .clap(let library, let id):
      lines += ["kind: clap", "library: \(quoted(library))", "label: \(quoted(id))"]
    case .library(let path): lines += ["kind: library", "library: \(quoted(path))"]
    }
    if plugin.ports(.audioOutput).count > 1 {
      lines += [
        "# Of its \(plugin.ports(.audioOutput).count) outputs; average and stereo are others.",
        "channels: 1",
      ]
    }
    lines.append("ports:")
    for (symbol, place) in pitch.places.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(symbol): \(quoted(place))  # a guess: is this the pitch?")
    }
    let others = plugin.ports(.control).filter { pitch.places[$0.symbol] == nil }
    if !others.isEmpty { lines.append("  # The others keep their defaults:") }
    for port in others {
      let range = [port.minimum, port.maximum].map { $0.map(number) ?? "…" }
      lines.append(
        "  # \(port.symbol): \(number(port.preset ?? 0))  # \(range.joined(separator: " to ")), \(port.name)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The last part of the address, in the letters of an id.
  private var id: String {
    let source =
      switch plugin.address {
      case .lv2(let uri):
        uri.split(whereSeparator: { "/#:".contains($0) }).last.map(String.init) ?? uri
      case .ladspa(_, let label): label
      case .clap(_, let id): id.split(separator: ".").last.map(String.init) ?? id
      case .library(let path): path.split(separator: "/").last.map(String.init) ?? path
      }
    let words = source.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-")
  }

  private func number(_ value: Double) -> String { SettingValue.number(value).description }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
