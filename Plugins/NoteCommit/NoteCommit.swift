import Foundation
import PackagePlugin

/// Writes the commit that is being built, and a digest of the sources on which measurements depend,
/// into a Swift file of `BuildInfo`, before every build.
///
/// The package manifest could ask `Context.gitInformation` instead, but manifests are cached by their
/// text: the answer would be that of an earlier commit.
@main struct NoteCommit: BuildToolPlugin {
  /// Targets that render and measure cells; their dependencies belong to them.
  private static let measuring = ["Sweep", "choir-host"]

  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let package = context.package.directoryURL
    let folder = context.pluginWorkDirectoryURL
    let measuring = try context.package.targets(named: Self.measuring)
    let own = Set(context.package.targets.map(\.directoryURL.path))
    let sources = Set(
      (measuring + measuring.flatMap(\.recursiveTargetDependencies))
        .map(\.directoryURL.path)
    ).intersection(own)
    return [
      .prebuildCommand(
        displayName: "Noting the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          package.appendingPathComponent("Plugins/NoteCommit/note-commit.sh").path, package.path,
          folder.appendingPathComponent("Commit.swift").path,
        ] + sources.sorted(), outputFilesDirectory: folder)
    ]
  }
}
