import Foundation
import TestSupport
import Testing

@Suite struct BuildFlagTests {
  /// SwiftPM clones dependencies into `checkouts`; Package.swift goes by that name.
  @Test func dependentPackagesGetNoUnsafeFlags() throws {
    let folder = try TemporaryFolder()
    let manifest = try String(contentsOf: Repository.file("Package.swift"), encoding: .utf8)
    let copy = try folder.write(manifest, to: "checkouts/choir/Package.swift")
    let dump = try PackageDump.json(of: copy.deletingLastPathComponent())
    let text = String(decoding: dump, as: UTF8.self)
    #expect(text.contains("enableExperimentalFeature"))
    #expect(!text.contains("unsafeFlags"))
  }
}
