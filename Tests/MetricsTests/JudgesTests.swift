import Foundation
import TestSupport
import Testing

@testable import Analyzer
@testable import Metrics
@testable import Platform

/// The fingerprint changes whenever a setting of a judge does.
@Suite struct JudgesTests {
  @Test func everySettingChangesTheFingerprint() throws {
    for member in Mirror(reflecting: Judges()).children {
      let (name, value) = (try #require(member.label), member.value as! any Encodable)
      let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Judges()))
      let own = try #require((whole as? [String: Any])?[name], "\(name)")
      // Every stored property is encoded.
      let settings = Mirror(reflecting: value).children.compactMap(\.label)
      if let own = own as? [String: Any] { #expect(Set(own.keys) == Set(settings), "\(name)") }
    }
    var judges = Judges()
    judges.pitch.octaveJumpCost *= 1.01
    #expect(judges.fingerprint != Judges.fingerprint)
    judges = Judges()
    judges.envelopes.roughnessDb *= 1.01
    #expect(judges.fingerprint != Judges.fingerprint)
    #expect(Judges().fingerprint == Judges.fingerprint)
  }

  @Test func everyJudgeWithSettingsIsThere() throws {
    let members = Mirror(reflecting: Judges()).children.map { "\(type(of: $0.value))" }
    let known = Set(
      Mirror(reflecting: Judges()).children.map {
        String(reflecting: type(of: $0.value)).split(separator: ".").dropFirst().joined(
          separator: ".")
      })
    let judging = try JudgingSources()
    let settings = judging.texts.filter { $0.value.contains("struct Settings") }.map {
      "\($0.key.split(separator: "+")[0]).Settings"
    }
    #expect(settings.count >= 2 && !members.isEmpty)
    for name in settings { #expect(known.contains(name), "add \(name) to Judges") }
  }

  /// Numbers that no `Settings` holds, such as `static let minCorrelation = 0.9`.
  @Test func theConstantsAreThoseOfTheSources() throws {
    let digest = try Digest.sha256(JudgingSources().constants.sorted().joined(separator: "\n"))
    #expect(
      Judges().constants == digest,
      """
      a named number in a judge's source changed: write it into Judges.constants, so that baselines \
      of the old number are refused, and raise the version of each metric that scores differently
      """)
  }
}

/// The sources of Metrics but those of cost, and those of Analyzer that they reach by name, without
/// comments.
private struct JudgingSources {
  /// Texts by file name without ending.
  var texts: [String: String]
  private let weights: [String]

  init() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Repository.file("Sources/Analyzer/Weights"), includingPropertiesForKeys: nil)
    weights = try files.map {
      try "\($0.lastPathComponent) = " + String(contentsOf: $0, encoding: .utf8)
    }
    texts = try Self.read("Sources/Evaluation/Metrics")
    var others = try Self.read("Sources/Analyzer")
    var words = Set<Substring>()
    var unread = Array(texts.values)
    while !unread.isEmpty {
      for text in unread { words.formUnion(text.matches(of: /[A-Z]\w+/).map(\.output)) }
      unread = []
      for (name, text) in others where words.contains(name.split(separator: "+")[0]) {
        texts[name] = text
        others[name] = nil
        unread.append(text)
      }
    }
  }

  /// Declarations of numbers, such as `leastDb = -40.0` and `(low, high) = (1, 2)`, and the weights of the networks.
  var constants: [String] {
    weights
      + texts.values.flatMap { text in
        text.matches(of: /(?:let|var) (\w+)(?:: *[\w<>\[\]]+)? = (-?[0-9][\w.]*|\[[-0-9][^\]]*\])/)
          .map { "\($0.1) = \($0.2)" }
          + text.matches(of: /(?:let|var) (\([\w, ]+\)) = (\([-0-9][^)]*\))/)
          .map { "\($0.1) = \($0.2)" }
      }
  }

  private static func read(_ folder: String) throws -> [String: String] {
    let root = Repository.file(folder)
    let names =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    var texts: [String: String] = [:]
    for name in names where name.hasSuffix(".swift") && !name.hasPrefix("Cost/") {
      let file = root.appendingPathComponent(name)
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .map { $0.prefix { _ in true }.replacing(/\/\/.*/, with: "") }.joined(separator: "\n")
      texts[file.deletingPathExtension().lastPathComponent, default: ""] += code
    }
    return texts
  }
}
