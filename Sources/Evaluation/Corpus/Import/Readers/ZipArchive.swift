import Foundation
import Platform

/// A ZIP file; the program `unzip` extracts members on demand.
struct ZipArchive: Sendable {
  let file: URL
  /// Paths of the files in it, without folders.
  let members: [String]

  init(_ file: URL) throws {
    self.file = file
    let listing = try Self.unzip(["-Z1", file.path], of: file)
    members = listing.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("/") }
  }

  /// Writes members below `folder` under their own paths; `unzip` refuses paths that lead out of it.
  func extract(_ wanted: [String], into folder: URL) throws {
    // 200 names are far below the limit of a command line.
    for start in stride(from: 0, to: wanted.count, by: 200) {
      let names = wanted[start..<min(start + 200, wanted.count)].map(Self.literal)
      _ = try Self.unzip(["-qq", "-o", file.path] + names + ["-d", folder.path], of: file)
    }
  }

  /// Escapes a name, which `unzip` would take for a pattern.
  private static func literal(_ name: String) -> String {
    name.reduce(into: "") { pattern, character in
      pattern += "*?[\\".contains(character) ? "\\\(character)" : "\(character)"
    }
  }

  /// Time limit, longer than any data set takes, in case it waits for a disk.
  private static let timeoutSeconds = 3600.0

  private static func unzip(_ arguments: [String], of file: URL) throws -> String {
    // Exit code 1 is a warning. Names are UTF-8 in any locale.
    let unzip = ChildProcess(
      arguments: ["sh", "-c", "unzip \"$@\" || test $? = 1", "sh"] + arguments,
      timeoutSeconds: timeoutSeconds, fileMB: 0, folder: Scratch.parent,
      environment: ChildEnvironment.passedOn.merging(["LC_ALL": "C.UTF-8"]) { $1 },
      outputBytes: 64 << 20)
    guard ProgramFile.path(of: "unzip", in: unzip.folder, unzip.environment) != nil else {
      throw ImportError.noUnzip
    }
    do { return try unzip.run().text } catch ChildProcess.Failure.exited(_, let errors) {
      throw ImportError.archive(path: file.path, problem: errors.isEmpty ? "damaged" : errors)
    }
  }
}
