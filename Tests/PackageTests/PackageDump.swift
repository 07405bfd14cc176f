import Foundation
import TestSupport

/// The content of a Package.swift as SwiftPM understands it.
enum PackageDump {
  /// Returns the package in a folder as JSON.
  static func json(of folder: URL = Repository.root) throws -> Data {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    program.arguments = ["swift", "package", "--ignore-lock", "dump-package"]
    program.currentDirectoryURL = folder
    let output = Pipe()
    (program.standardOutput, program.standardError) = (output, FileHandle.nullDevice)
    try program.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    return text
  }
}
