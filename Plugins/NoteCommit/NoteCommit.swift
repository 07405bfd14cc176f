import Foundation
import PackagePlugin

/// Writes the commit that is being built into a Swift file of `BuildInfo`, before every build.
///
/// The package manifest could ask `Context.gitInformation` instead, but manifests are cached by their
/// text: the answer would be that of an earlier commit.
@main struct NoteCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let package = context.package.directoryURL
    let folder = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Noting the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          package.appendingPathComponent("Plugins/NoteCommit/note-commit.sh").path, package.path,
          folder.appendingPathComponent("Commit.swift").path,
        ], outputFilesDirectory: folder)
    ]
  }
}
