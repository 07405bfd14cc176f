import Foundation
import Glibc
import HostProtocol

/// Runs plugins for choir-eval in a process of their own, where their crashes and hangs stay.
///
///     choir-host list                                 all plugins, as JSON
///     choir-host describe ADDRESS                     one plugin, as JSON
///     choir-host render SESSION REPORT <floats >floats
///     choir-host live SESSION                         messages on standard input and output
///
/// ADDRESS and SESSION are JSON: a `PluginAddress` and the path of a `HostSession`.
@main enum ChoirHost {
  static func main() {
    let output = Channel.redirectStandardOutput()
    do {
      try run(Array(CommandLine.arguments.dropFirst()), output)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(HostExit.refused)
    }
    // Plugins that can't be unloaded must not spoil a rendering that is complete.
    fflush(nil)
    _exit(0)
  }

  private static func run(_ words: [String], _ output: Channel) throws {
    switch (words.first, words.count) {
    case ("list", 1):
      try output.write(Array(JSONEncoder().encode(PluginLoader.all())))
    case ("describe", 2):
      let address = try JSONDecoder().decode(PluginAddress.self, from: Data(words[1].utf8))
      try output.write(Array(JSONEncoder().encode(PluginLoader.description(of: address))))
    case ("render", 3):
      let report = try PluginPlayer(session(words[1])).render(from: Channel(0), to: output)
      try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: words[2]))
    case ("live", 2):
      try PluginSession(
        session(words[1]), stateFile: HostState.file(of: URL(fileURLWithPath: words[1])),
        from: Channel(0), to: output
      ).serve()
    default:
      throw PluginFault(
        description:
          "choir-host is a part of choir-eval that runs plugins; use choir-eval subjects plugins")
    }
  }

  private static func session(_ path: String) throws -> HostSession {
    try JSONDecoder().decode(HostSession.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
