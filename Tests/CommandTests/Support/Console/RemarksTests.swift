import Foundation
import Testing

/// Remarks of a command: those of its text are in its JSON too.
@Suite struct RemarksTests {
  /// Command lines whose text has remarks, one after the other in one folder.
  private static let lines = [
    "run Corpus/plans/tiny.yaml",
    "tune Corpus/plans/tiny.yaml --axes missing,gross,pitch,tilt",
    "tune Corpus/plans/tiny.yaml --axes missing,pitch,latency,cost --budget cost=0",
    "check mine.yaml --plan Corpus/plans/tiny.yaml --budget latency=0.001",
    "compare Corpus/audio/a.wav Corpus/audio/b.wav",
    "compare Corpus/audio/a.wav Corpus/audio/b.wav --intervals 0,7",
    "compare tiny tiny",
  ]

  /// Commands whose text has the figures of their JSON in lines or tables, and no words of its own.
  private static let figuresOnly = [
    "accept", "analyze", "bisect", "chords", "corpus add", "corpus import", "corpus list",
    "corpus verify", "doctor", "effects", "explain", "gate test",
    "history show", "hunt", "listen pool", "live", "merge", "metrics list", "metrics show",
    "presets list", "probe", "project list", "project show", "score",
    "subjects list", "subjects plugins", "tape check", "tape read", "timing",
  ]

  @Test func jsonHasEveryRemarkOfTheText() throws {
    let bench = try GateTests.Bench()
    let plan = try bench.read("Corpus/plans/tiny.yaml")
    try bench.write(
      plan.replacing(
        /metrics: .*/, with: "metrics: [pitch, voices, timbre, level.change, cpu.realtime_factor]"),
      "Corpus/plans/tiny.yaml")
    // A second run, whose cells are stored, says the same each time.
    _ = try bench.type("run", "Corpus/plans/tiny.yaml")
    // The second sound is a quarter shorter than the first, which compare remarks.
    for line in Self.lines {
      let hidden = try hidden(line, in: bench)
      #expect(hidden.isEmpty, "\(line): \(hidden)")
    }
  }

  /// The lists above have every command with both forms, by the parser's own description.
  @Test func everyCommandWithBothFormsIsListed() throws {
    let root = try Shell().type("choir-eval --experimental-dump-help").json()
    var both: [String] = []
    func look(_ command: [String: Any], _ path: [String]) {
      let names = (command["arguments"] as? [[String: Any]] ?? []).map {
        ($0["preferredName"] as? [String: Any])?["name"] as? String
      }
      if names.contains("json") { both.append(path.joined(separator: " ")) }
      for inner in command["subcommands"] as? [[String: Any]] ?? [] {
        look(inner, path + [inner["commandName"] as? String ?? ""])
      }
    }
    look(try #require(root["command"] as? [String: Any]), [])
    let unlisted = both.filter { command in
      !Self.figuresOnly.contains(command) && !Self.lines.contains { $0.hasPrefix("\(command) ") }
    }
    #expect(!both.isEmpty && unlisted.isEmpty, "list these: \(unlisted)")
  }

  /// Lines that explain signs, and say nothing about this answer.
  private static let legends = [
    "A figure is one metric", "→ recommended, ~", "audible: steps of", "Measured by:",
    "¢ med/p95:", "–: no value", "By register and kind", "What is heard, in",
    "The page, with sounds",
  ]

  /// The lines of a text that say something: they are no rows of a table, whose columns two blanks
  /// part, and have words.
  static func remarks(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
      !line.contains("  ") && line.split(separator: " ").count >= 4
        && !legends.contains(where: line.hasPrefix)
    }
  }

  /// Every text in JSON.
  static func strings(in json: Any) -> [String] {
    switch json {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(strings)
    case let object as [String: Any]: object.flatMap { [$0.key] + strings(in: $0.value) }
    default: []
    }
  }

  /// - Returns: the remarks that JSON lacks.
  private func hidden(_ line: String, in bench: GateTests.Bench) throws -> [String] {
    let words = line.split(separator: " ").map(String.init)
    let text = try bench.type(words)
    let json = try bench.type(words + ["--json"])
    #expect(text.status == json.status, "\(line): \(json.errors)")
    let said = Self.strings(in: try json.json())
    let remarks = Self.remarks(in: text.output)
    #expect(!remarks.isEmpty, "\(line) remarks nothing")
    return remarks.filter { remark in !said.contains { $0.contains(remark) } }
  }
}
