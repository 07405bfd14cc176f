import Foundation
import PackagePlugin

/// Gates a program of the package: `swift package choir-gate [GATE] [options of choir-eval gate]`.
///
/// It builds the package, then runs `choir-eval gate` in its folder, so that the subject's file may name
/// programs such as `.build/debug/mine`. Results go to the plugin's own folder, so no permission to write
/// is needed. `--accept REASON` makes the baseline, which needs
/// `swift package --allow-writing-to-package-directory`.
@main struct ChoirGate: CommandPlugin {
  private static let standardGate = "choir-gate.yaml"

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var words = arguments
    let package = context.package.directoryURL
    let gate = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? Self.standardGate
    if words.first == gate { words.removeFirst() }
    guard
      FileManager.default.fileExists(
        atPath: URL(fileURLWithPath: gate, relativeTo: package).path)
    else {
      throw Problem(
        description:
          "\(package.path) has no gate '\(gate)'; write one (docs/reference/gate.md), or "
          + "name it: swift package choir-gate GATE")
    }
    let built = try packageManager.build(.all(includingTests: false), parameters: .init())
    guard built.succeeded else {
      throw Problem(description: "the package does not build:\n\(built.logText)")
    }
    if let place = words.firstIndex(of: "--accept") {
      guard place + 1 < words.count else {
        throw Problem(description: "--accept needs a reason, such as --accept \"first baseline\"")
      }
      words.replaceSubrange(place...place, with: ["--reason"])
      words = ["accept", gate] + words
    } else {
      let store = context.pluginWorkDirectoryURL.appendingPathComponent("gate.sqlite")
      words = ["gate", gate] + (words.contains("--store") ? [] : ["--store", store.path]) + words
    }
    if !words.contains("--corpus"), let corpus = corpus(of: context.package) {
      words += ["--corpus", corpus.path]
    }
    let process = Process()
    process.executableURL = try context.tool(named: "choir-eval").url
    process.arguments = words
    process.currentDirectoryURL = package
    try process.run()
    process.waitUntilExit()
    // The exit code says what a gate found.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  /// The package's own corpus, or that of the package that this plugin belongs to.
  private func corpus(of package: Package) -> URL? {
    let folders = [package.directoryURL] + package.dependencies.map(\.package.directoryURL)
    return folders.map { $0.appendingPathComponent("Corpus") }.first {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent("manifest.csv").path)
    }
  }

  private struct Problem: Error, CustomStringConvertible { let description: String }
}
