import ArgumentParser
import CommandSupport
import Foundation
import HostProtocol
import Subjects

struct SubjectsPlugins: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins", abstract: "List the LV2, LADSPA and CLAP plugins installed here.",
    discussion: """
      Use it to find a plugin and the symbols of its controls, for a subject of kind lv2, ladspa or clap. \
      Words choose the plugins whose address or name has any of them.

        choir-eval subjects plugins pitch tune

      Exit codes: 0 good; 2 the plugins can't be read; 64 misuse.
      """)

  @Argument(help: ArgumentHelp("Parts of addresses or names.", valueName: "word"))
  var words: [String] = []
  @Flag(help: "Print JSON, with presets.") var json = false

  func run() throws {
    let all = try PluginHost.installed()
    let chosen = all.filter { plugin in
      let text = "\(plugin.address) \(plugin.name)"
      return words.isEmpty || words.contains { text.localizedCaseInsensitiveContains($0) }
    }
    if json { return print(try JSON.text(chosen)) }
    guard chosen.isEmpty else {
      return print(chosen.map(Self.text).joined(separator: "\n"))
    }
    let sought = words.map { "'\($0)'" }.joined(separator: " or ")
    Terminal.printError(
      all.isEmpty
        ? "no plugins are installed; install x42-plugins, for example"
        : "no address or name of \(all.count) plugins has \(sought); "
          + "see them all: choir-eval subjects plugins")
  }

  private static func text(of plugin: PluginDescription) -> String {
    var lines = ["\(plugin.address): \(plugin.name)"]
    let count = { (kind: PluginDescription.Port.Kind) in plugin.ports(kind).count }
    var facts = ["\(count(.audioInput)) in, \(count(.audioOutput)) out"]
    if plugin.ports.contains(where: \.takesMIDI) { facts.append("takes MIDI") }
    if plugin.ports.contains(where: \.isLatency) { facts.append("states its latency") }
    if !plugin.presets.isEmpty { facts.append("\(plugin.presets.count) presets") }
    lines.append("  " + facts.joined(separator: ", "))
    for port in plugin.ports where port.kind == .control {
      let range = [port.minimum, port.maximum].map { $0.map(number) ?? "…" }
      let preset = port.preset.map { ", default \(number($0))" } ?? ""
      lines.append("  \(port.symbol): \(range.joined(separator: " to "))\(preset) (\(port.name))")
    }
    for port in plugin.ports where port.takesMIDI { lines.append("  \(port.symbol): MIDI") }
    if let obstacle = plugin.obstacle { lines.append("  \(obstacle)") }
    return lines.joined(separator: "\n")
  }

  private static func number(_ value: Double) -> String { String(format: "%.6g", value) }
}
