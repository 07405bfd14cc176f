import Foundation
import Testing

@testable import Corpus
@testable import Platform
@testable import Sweep

/// Mistakes in files: each error has the line, the value and a remedy.
@Suite struct YAMLFileTests {
  private static let plan = """
    name: tiny
    subject: reference
    recordings: [a]
    limitSeconds: 60
    scores:
      - id: thirds
        key: C major
        degrees: [3, 5]
    settings:
      engine: [psola]
    """

  private func problem(_ replaced: String, by text: String) -> String {
    let whole = Self.plan.replacingOccurrences(of: replaced, with: text)
    do {
      _ = try Plan.decoded(whole)
      return "nothing"
    } catch { return (error as? YAMLProblem)?.text ?? "\(error)" }
  }

  @Test(arguments: [
    ("[3, 5]", "[3, nan]", "line 8: scores[0].degrees[1] is 'nan'; write a whole number"),
    ("[3, 5]", "[3, .nan]", "line 8: scores[0].degrees[1] is '.nan'; write a whole number"),
    (
      "tiny", "[ok, nan]",
      "name[1] is 'nan'; write a finite number, or 'nan' in quotes if it is a text"
    ),
    ("[3, 5]", "[3, 5.5]", "line 8: degrees[1] is '5.5'; write a whole number"),
    ("[3, 5]", "[3, ]", "nothing"),
    ("[3, 5]", "[3, ~]", "degrees[1] is empty; write a whole number"),
    ("[3, 5]", "3", "line 8: degrees is '3'; write a list, such as [a, b]"),
    ("[3, 5]", "{a: 3}", "line 8: degrees is keys with values; write a list"),
    ("60", "soon", "line 4: limitSeconds is 'soon'; write a number"),
    ("60", ".inf", "line 4: limitSeconds is '.inf'; write a finite number"),
    ("60", "1e999", "line 4: limitSeconds is '1e999'; write a finite number"),
    ("60", "-1", "line 4: limitSeconds is -1.0; choose 0.001 to 31536000"),
    ("60", "[60]", "line 4: limitSeconds is a list; write a single value"),
    ("tiny", "[a, b]", "line 1: name is a list; write a single value"),
    ("[a]", "{a", "is not YAML"), ("[a]", "\t- a", "line 3: is not YAML"),
    ("subject: reference", "name: again", "has 'name' twice; keep one"),
  ])
  func eachMistakeIsNamedInPlainWords(text: String, by other: String, words: String) {
    let problem = problem(text, by: other)
    #expect(problem.contains(words), "\(problem)")
    for jargon in ["decode", "Scalar", "Node", "Yams", "keyed"] {
      #expect(!problem.contains(jargon), "\(problem)")
    }
  }

  private func reading(_ bytes: [UInt8]) throws -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      _ = try YAMLFile.text(of: url)
      return "nothing"
    } catch { return error.text }
  }

  /// YAML 1.2, section 5.2: a byte order mark may begin a document and is no content.
  @Test func aByteOrderMarkIsAllowed() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
    try Data([0xEF, 0xBB, 0xBF] + Array("name: tiny\n".utf8)).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let mapping = try YAMLFile.mapping(of: YAMLFile.text(of: url), content: "")
    #expect(mapping["name"]?.string == "tiny")
  }

  @Test func otherEncodingsAreNamed() throws {
    let text = "name: tiny\n"
    func bytes(_ encoding: String.Encoding) throws -> [UInt8] {
      [UInt8](try #require(text.data(using: encoding)))
    }
    #expect(try reading(bytes(.utf8)) == "nothing")
    #expect(try reading(bytes(.utf16)).contains("is UTF-16; save it as UTF-8"))
    #expect(try reading(bytes(.utf16LittleEndian)).contains("is UTF-16LE; save it as UTF-8"))
    #expect(try reading(bytes(.utf16BigEndian)).contains("is UTF-16BE; save it as UTF-8"))
    #expect(try reading(bytes(.utf32)).contains("is UTF-32; save it as UTF-8"))
    // A sound, whose zeros lie anywhere.
    let header: [UInt8] = [0x52, 0x49, 0x46, 0x46, 0x24, 0, 0, 0, 0x57, 0x41, 0x56, 0x45]
    #expect(try reading(header + [UInt8](repeating: 0, count: 9)) == "nothing")
    // "é" in Latin-1.
    #expect(try reading([0x6E, 0x3A, 0xE9]).contains("is not UTF-8"))
  }

  /// Each of these texts could exhaust the stack or the memory.
  @Test func hostileFilesAreRefused() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: YAMLProblem.self) { try YAMLFile.node(of: deep) }
    let dashes = String(repeating: "- ", count: 100_000)
    #expect(throws: YAMLProblem.self) { try YAMLFile.node(of: dashes) }
    // Each of 9 aliases stands for nine of the one before: 9⁹ values.
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<9 {
      let alias = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(alias)]\n"
    }
    #expect(throws: YAMLProblem.self) { try YAMLFile.node(of: bomb) }
  }

  @Test func aCorpusWithoutManifestSaysSo() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID())")
    let error = #expect(throws: Refusal.self) { try Corpus(folder: folder) }
    let text = error?.description ?? ""
    #expect(text.contains(folder.path) && text.contains("--corpus"), "\(text)")
  }
}
