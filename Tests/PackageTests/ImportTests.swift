import Foundation
import TestSupport
import Testing

/// Compares the import lines of every source file with the targets of Package.swift.
@Suite struct ImportTests {
  /// The targets of Package.swift in their order, with the names they declare.
  private struct Manifest: Decodable {
    struct Target: Decodable {
      struct Dependency: Decodable {
        var byName: [String?]?
        var product: [Product?]?

        var name: String? { byName?.first ?? product?.first??.name ?? nil }
      }

      /// The first of a product's description is its name; the rest has other types.
      struct Product: Decodable {
        var name: String?

        init(from decoder: any Decoder) throws {
          name = try? decoder.singleValueContainer().decode(String.self)
        }
      }

      var name: String
      var type: String
      var path: String?
      var dependencies: [Dependency]

      var folder: String {
        path ?? (type == "test" ? "Tests/\(name)" : "Sources/\(name)")
      }
    }

    var targets: [Target]
  }

  /// Modules of the toolchain and of the system, which no target declares.
  private static let system: Set<String> = [
    "Foundation", "FoundationXML", "Dispatch", "Synchronization", "Testing", "Glibc",
  ]

  private static let manifest = Result {
    try JSONDecoder().decode(Manifest.self, from: PackageDump.json())
  }

  private static func sources(of target: Manifest.Target) -> [URL] {
    let folder = Repository.file(target.folder)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { folder.appendingPathComponent($0) }
  }

  private static func imports(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .matches(of: /(?m)^(?:@\w+ )?import (?:struct |class |enum |func )?(\w+)/)
      .map { String($0.1) }
  }

  /// A file that imports what its target doesn't declare builds only by luck: another target made
  /// the module first.
  @Test func everyImportIsDeclared() throws {
    for target in try Self.manifest.get().targets where target.type != "plugin" {
      let declared = Set(
        target.dependencies.compactMap(\.name).map { $0.replacing("-", with: "_") })
      for file in Self.sources(of: target) {
        for module in try Self.imports(of: file) where !Self.system.contains(module) {
          #expect(
            declared.contains(module), "\(file.path): \(target.name) doesn't declare \(module)")
        }
      }
    }
  }

  @Test func everyDeclaredTargetIsImported() throws {
    // Linked for what they do at run time, without an import.
    let silent: Set = ["AllocationProbe", "CDelayLine"]
    for target in try Self.manifest.get().targets where target.type != "plugin" {
      let files = Self.sources(of: target)
      guard !files.isEmpty else { continue }
      let imported = Set(try files.flatMap(Self.imports))
      for name in target.dependencies.compactMap(\.name) where !silent.contains(name) {
        #expect(
          imported.contains(name.replacing("-", with: "_")), "\(target.name) never imports \(name)")
      }
    }
  }

  /// Package.swift lists the targets in the order in which they may import each other.
  @Test func importsPointUpwards() throws {
    let targets = try Self.manifest.get().targets
    let place = Dictionary(uniqueKeysWithValues: targets.enumerated().map { ($1.name, $0) })
    for target in targets where target.folder.hasPrefix("Sources") {
      for name in target.dependencies.compactMap(\.name) {
        guard let other = place[name] else { continue }
        #expect(other < place[target.name]!, "\(target.name) is listed before \(name)")
      }
    }
  }
}
