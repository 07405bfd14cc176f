import Foundation
import HostProtocol
import Platform
import Synchronization

/// The program that runs plugins, so that their crashes and hangs are not this process's.
package enum PluginHost {

  /// Variables that plugins are found through, passed on beside those of every program.
  private static let searchPaths = ["LV2_PATH", "LADSPA_PATH", "CLAP_PATH"]

  /// Path of the host: beside this program, or as `CHOIR_HOST` says.
  package static func path() throws(Refusal) -> String {
    guard let path = ProgramFile.companion("choir-host") else {
      throw Refusal(
        "the host of plugins, choir-host, is not beside choir-eval; build it: swift build "
          + "--product choir-host (add -c release for a release build)")
    }
    return path
  }

  package static var environment: [String: String] {
    let all = ChildEnvironment.ofThisProcess
    var passed = ChildEnvironment.passedOn
    passed.merge(all.filter { searchPaths.contains($0.key) }) { $1 }
    // A crash is the plugin's: Swift's backtrace would hide its last words.
    passed["SWIFT_BACKTRACE"] = "enable=no"
    return passed
  }

  /// Returns all plugins that are installed.
  package static func installed() throws -> [PluginDescription] {
    try JSONDecoder().decode(
      [PluginDescription].self, from: asked(["list"], environment, timeoutSeconds: 120))
  }

  /// The end of a host that a plugin left.
  static let left = Refusal(
    "left: the plugin ended its host's process by exit; a plugin must not, so report this "
      + "to its maker")

  /// The end of a host that sends what no host does.
  static let garbled = Refusal(
    "out of bounds: the plugin damaged its host's messages; its sound can't be trusted, so report "
      + "this to its maker")

  private static let known = Mutex<[[String]: PluginDescription]>([:])

  /// Returns what a plugin says of itself; each is asked once.
  package static func description(
    of plugin: PluginAddress, environment: [String: String] = environment
  ) throws -> PluginDescription {
    let address = try JSONEncoder.canonical.text(plugin)
    let key = [address] + searchPaths.map { environment[$0] ?? "" }
    if let found = known.withLock({ $0[key] }) { return found }
    let found = try JSONDecoder().decode(
      PluginDescription.self, from: asked(["describe", address], environment, timeoutSeconds: 60))
    known.withLock { $0[key] = found }
    return found
  }

  private static func asked(
    _ words: [String], _ environment: [String: String], timeoutSeconds: Double
  ) throws -> Data {
    let child = ChildProcess(
      arguments: [try path()] + words, timeoutSeconds: timeoutSeconds,
      folder: URL(fileURLWithPath: "/"), environment: environment,
      outputBytes: 64 << 20)
    do { return try child.run().output } catch { throw Self.named(error) }
  }

  /// Returns the host's own sentence where it refused a plugin, else the error.
  static func named(_ error: any Error) -> any Error {
    guard case ChildProcess.Failure.exited(HostExit.refused, let errors) = error else {
      return error
    }
    return Refusal(errors)
  }
}
