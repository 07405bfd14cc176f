import Foundation

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

  private static func unzip(_ arguments: [String], of file: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unzip"] + arguments
    // Names are UTF-8 in any locale.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["LC_ALL": "C.UTF-8"]) { $1 }
    let (output, complaints) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problem = String(
      decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0, 1: return text  // 1 is a warning
    case 127: throw ImportError.noUnzip
    default:
      throw ImportError.archive(
        path: file.path, problem: problem.split(separator: "\n").first.map(String.init) ?? "damaged"
      )
    }
  }
}
