import Foundation
import PackagePlugin

/// Runs a gate of `choir-eval` in the package that depends on this one.
///
///     swift package choir-gate Quality/gate.yaml
///     swift package choir-gate accept Quality/gate.yaml --reason "first baseline"
///
/// It builds the package's executables for release and finds them before all others, so the subject's
/// command may be one of them. Then it builds `choir-eval` from this package, unless the
/// environment names a program in `CHOIR_EVAL`. The corpus is this package's, and results are stored in
/// the plugin's own folder, unless options say otherwise. `accept` writes the baseline, which the
/// sandbox of macOS allows with `--allow-writing-to-directory FOLDER` before `choir-gate`.
@main struct ChoirGate: CommandPlugin {
  /// The commands that are no gate.
  private static let others = ["accept", "bisect", "explain"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let words = try words(arguments, context)
    // Not `.all`, which builds every target of every package.
    let products = context.package.products(ofType: ExecutableProduct.self)
    let built = try products.flatMap { try build(.product($0.name), $0.name).builtArtifacts }
    let process = Process()
    process.executableURL = try program()
    process.environment = environment(finding: built)
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = words
    try process.run()
    process.waitUntilExit()
    // The exit code is part of a gate's answer; a thrown error would always be 1.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  /// Returns this environment, in which the executables among the artifacts are found first.
  private func environment(
    finding artifacts: [PackageManager.BuildResult.BuiltArtifact]
  ) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    let executables = artifacts.filter { $0.kind == .executable }.map(\.url)
    let folders = Set(executables.map { $0.deletingLastPathComponent().path }).sorted()
    environment["PATH"] = (folders + [environment["PATH"] ?? ""]).joined(separator: ":")
    return environment
  }

  /// Returns the command line for `choir-eval`.
  private func words(_ arguments: [String], _ context: PluginContext) throws -> [String] {
    var words = arguments
    if !Self.others.contains(arguments.first ?? "") { words.insert("gate", at: 0) }
    if arguments.contains(where: ["--help", "-h"].contains) { return words }
    func isGiven(_ option: String) -> Bool {
      arguments.contains { $0 == option || $0.hasPrefix("\(option)=") }
    }
    if !isGiven("--corpus") {
      let corpus = try toolkit(context.package).directoryURL.appendingPathComponent("Corpus")
      words += ["--corpus", corpus.path]
    }
    if ["gate", "explain"].contains(words[0]), !isGiven("--store") {
      let store = context.pluginWorkDirectoryURL.appendingPathComponent("gate.sqlite")
      words += ["--store", store.path]
    }
    return words
  }

  /// Returns the program to run: the one that the environment names, or one built from this package.
  private func program() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["CHOIR_EVAL"] {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw Failure("CHOIR_EVAL names '\(path)', which is no program; correct or unset it")
      }
      return URL(fileURLWithPath: path)
    }
    let result = try build(.product("choir-eval"), "choir-eval")
    guard
      let program = result.builtArtifacts.first(where: { $0.url.lastPathComponent == "choir-eval" })
    else { throw Failure("the build made no choir-eval; name a program in CHOIR_EVAL") }
    return program.url
  }

  @discardableResult
  private func build(
    _ subset: PackageManager.BuildSubset, _ name: String
  ) throws -> PackageManager.BuildResult {
    let result = try packageManager.build(subset, parameters: .init(configuration: .release))
    guard result.succeeded else {
      throw Failure("\(name) does not build; mend what the compiler says:\n\(result.logText)")
    }
    return result
  }

  /// Returns this package, as the package under test sees it.
  private func toolkit(_ package: Package) throws -> Package {
    let name = "pocket-choir-evaluation"
    if package.displayName == name { return package }
    guard let toolkit = package.dependencies.first(where: { $0.package.displayName == name }) else {
      throw Failure("\(package.displayName) does not depend on \(name); name a --corpus")
    }
    return toolkit.package
  }
}

/// A sentence for whoever ran the command.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
