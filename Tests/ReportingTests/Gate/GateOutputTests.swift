import Foundation
import FoundationXML
import Testing

@testable import Gate
@testable import Metrics
@testable import Reporting

/// A gate's result in standard formats, read back by independent parsers.
@Suite struct GateOutputTests {
  private static let nasty = "a <b> & \"c\" | 50 %, d: e\nnext\u{1}"

  private static func result(
    _ findings: [GateFinding], costs: [CostFinding] = []
  ) throws -> GateResult {
    let provenance = Baseline.Provenance(
      plan: "smoke", subjects: ["reference 3"], corpus: "c0ffee", machine: "x86_64 Linux",
      date: "2026-01-31", recordings: [:], scores: [:])
    func cells(_ error: Double) -> [ComparedCell] {
      (0..<6).map { recording in
        ComparedCell(
          .init(
            recording: "r\(recording)", condition: "clean", score: "chord",
            configuration: "windowMs=20"),
          figures: [
            .init("pitch.abs_error", voice: "+4"): .value(5),
            .init("pitch.abs_error", voice: "+7"): .value(5 + error),
          ], key: "0123456789abcdef")
      }
    }
    return GateResult(
      gate: "Corpus/gates/smoke.yaml", baselineFile: "Corpus/gates/smoke.tsv", plan: "smoke",
      subjects: ["reference 3"], machine: "x86_64 Linux", baseline: provenance, measuredCells: 6,
      expectedCells: 6, comparison: try RunComparison(baseline: cells(0), candidate: cells(3)),
      budgets: Budget("pitch.abs_error", max: 7).findings(in: cells(3)), costs: costs,
      findings: findings + costs.compactMap(\.finding))
  }

  /// A setting that costs 20 % more, and one that could not be measured.
  private static func costs() throws -> [CostFinding] {
    var found = CostComparison(
      ratio: 1.2, interval: 1.2...1.2, confidence: 0.99, rounds: 20, minimumEffect: 0.05)
    found.confirmed = true
    return [("engine=psola", found), ("engine=<x>|", nil)].map { settings, comparison in
      CostFinding(
        configuration: settings, against: "the program old",
        comparison: comparison, problem: comparison == nil ? nasty : nil,
        command: "choir-eval probe reference --only cost")
    }
  }

  private static let key = FigureKey(
    .init("pitch.abs_error", voice: "+7"), score: "chord", configuration: "windowMs=20")

  private static let findings = [
    GateFinding(
      .regression, "\(key)", nasty, metric: "pitch.abs_error", command: "choir-eval explain 0 x",
      key: key),
    GateFinding(.brokenBudget, "pitch.abs_error · +7", "it is 8", metric: "pitch.abs_error"),
    GateFinding(.failedCell, "r1 · chord", "crashed (SIGSEGV)"),
    GateFinding(.inconclusive, "x", "who knows", metric: "pitch.bias"),
    GateFinding(.note, "machine", "another"),
  ]

  /// A voice without a value breaks the budget, and the kept value of another voice is not shown for it.
  @Test func aBrokenBudgetNamesTheVoiceThatLostItsValue() throws {
    var result = try Self.result([])
    let cell = ComparedCell(
      .init(recording: "r", condition: "clean", score: "chord", configuration: "windowMs=20"),
      figures: [
        .init("pitch.abs_error", voice: "+4"): .undefined(Undefined(.tooLittleVoice, "silence")),
        .init("pitch.abs_error", voice: "+7"): .value(5),
      ], key: "0123456789abcdef")
    result.budgets = Budget("pitch.abs_error", max: 7).findings(in: [cell])
    let nearest = try #require(result.nearestBudgets.first)
    #expect(nearest.isBroken && nearest.finding.voice == "+4" && nearest.finding.value == nil)
  }

  // MARK: - JUnit

  private final class Counter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var attributes: [String: [String: String]] = [:]
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      counts[name, default: 0] += 1
      if self.attributes[name] == nil { self.attributes[name] = attributes }
    }
  }

  private func parsed(_ text: String) -> Counter? {
    let (parser, counter) = (XMLParser(data: Data(text.utf8)), Counter())
    parser.delegate = counter
    return parser.parse() ? counter : nil
  }

  @Test func junitIsXMLAndItsSumsAreRight() throws {
    let text = try GateJUnit(Self.result(Self.findings)).text()
    let found = try #require(parsed(text), "\(text)")
    // Two figures, of which one is worse; the budget for two voices, one broken; a cell that failed.
    #expect(found.counts["testcase"] == 5 && found.counts["failure"] == 2)
    #expect(found.counts["error"] == 1 && found.counts["skipped"] == nil)
    let sums = try #require(found.attributes["testsuites"])
    #expect(sums["tests"] == "5" && sums["failures"] == "2" && sums["errors"] == "1")
    // A parser turns a line end in an attribute into a space; forbidden characters are removed.
    #expect(found.attributes["failure"]?["message"] == "a <b> & \"c\" | 50 %, d: e next")
  }

  /// An answer of the bench that became poor has no figure, and is a failure all the same.
  @Test func aRegressionOfTheBenchIsAFailure() throws {
    let finding = GateFinding(.regression, "bench · nan · mine", "returned nan at sample 3")
    let found = try #require(parsed(GateJUnit(Self.result([finding])).text()))
    #expect(found.counts["failure"] == 2)  // with the budget, which the sample breaks
    let log = try GateSARIF(Self.result([finding])).text()
    #expect(log.contains("\"ruleId\" : \"gate.regression\""))
  }

  @Test func junitOfAPassHasNoFailures() throws {
    let found = try #require(parsed(GateJUnit(Self.result([])).text()))
    #expect(found.counts["failure"] == 1)  // the budget, which the sample breaks
    #expect(found.counts["error"] == nil)
  }

  /// Besides two figures and the budget for two voices there is a case for each setting: one failure and
  /// one error, each once.
  @Test func costIsASuiteOfItsOwn() throws {
    let text = try GateJUnit(Self.result([], costs: Self.costs())).text()
    let found = try #require(parsed(text), "\(text)")
    #expect(found.counts["testcase"] == 6 && found.counts["testsuite"] == 3)
    #expect(found.counts["failure"] == 2 && found.counts["error"] == 1)
    #expect(found.attributes["error"]?["type"] == "not comparable")
  }

  @Test func costIsInEveryFormat() throws {
    let result = try Self.result([], costs: Self.costs())
    #expect(result.outcome(strict: false).exitCode == 1)
    let page = try summary(of: result)
    #expect(
      page.contains(
        "| engine=psola | 1.200 | 1.200 | 1.200 | regression | +5.0 % | the program old |"))
    #expect(
      page.contains(
        "| engine=&lt;x&gt;\\| | missing | missing | missing | not measured |  | the program old |")
    )
    #expect(page.contains("`choir-eval probe reference --only cost`"))
    let log = try GateSARIF(result).text()
    #expect(log.contains("\"ruleId\" : \"cpu.realtime_factor\""))
    #expect(log.contains("\"ruleId\" : \"gate.not-comparable\""))
    #expect(
      GateAnnotations(result).text()
        .contains("::error title=regression%3A cpu.realtime_factor::cost · engine=psola: costs"))
    let json = try JSONEncoder().encode(result)
    #expect(try JSONDecoder().decode(GateResult.self, from: json).costs == result.costs)
  }

  // MARK: - SARIF

  /// Properties that section 3 of the standard requires of every log.
  @Test func sarifHasWhatTheStandardAsksFor() throws {
    let text = try GateSARIF(Self.result(Self.findings), lines: [Self.key: 12]).text()
    let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    #expect(driver["name"] as? String == "choir-eval")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let ids = rules.compactMap { $0["id"] as? String }
    #expect(Set(ids).count == ids.count && ids == ids.sorted())
    let results = try #require(run["results"] as? [[String: Any]])
    // Notes are no alerts.
    #expect(results.map { $0["level"] as? String } == ["error", "error", "error", "warning"])
    for one in results {
      let index = try #require(one["ruleIndex"] as? Int)
      #expect(ids[index] == one["ruleId"] as? String)
      #expect((one["message"] as? [String: String])?["text"]?.isEmpty == false)
    }
    let place = try #require(
      ((results[0]["locations"] as? [[String: Any]])?[0]["physicalLocation"]) as? [String: Any])
    #expect((place["artifactLocation"] as? [String: String])?["uri"] == "Corpus/gates/smoke.tsv")
    #expect((place["region"] as? [String: Int])?["startLine"] == 12)
  }

  // MARK: - GitHub

  /// The rules of GitHub's own toolkit (@actions/core, command.ts): in messages `%`, CR and LF are
  /// escaped, in properties also `:` and `,`.
  @Test func annotationsAreEscaped() {
    let line = GateAnnotations.line(
      "error", "50 %\nmore: a, b", title: "a: b, c", file: "a,b.tsv", line: 3)
    #expect(line == "::error file=a%2Cb.tsv,line=3,title=a%3A b%2C c::50 %25%0Amore: a, b")
  }

  @Test func noMoreThanTenAreShownAndTheRestIsCounted() throws {
    let many = (0..<25).map { GateFinding(.regression, "figure \($0)", "worse") }
    let lines = GateAnnotations(try Self.result(many)).text().split(separator: "\n")
    #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("::error") })
    #expect(lines[9].hasSuffix("::and 16 more; the job's summary has them all"))
    #expect(GateAnnotations(try Self.result([])).text().hasPrefix("::notice"))
  }

  // MARK: - Markdown

  private func summary(of result: GateResult) throws -> String {
    try ReportMarkdown().render(GatePage(result).page())
  }

  @Test func theSummaryBeginsWithTheVerdict() throws {
    let text = try summary(of: Self.result(Self.findings))
    #expect(text.hasPrefix("# Did ‘reference’ get worse?\n"))
    #expect(
      text.contains("2 figures of 6 of 6 cells compared with the baseline of 2026-01-31"))
    #expect(text.contains("**✗ Regression.** "))
    // No text of a finding breaks its table.
    #expect(text.contains("a &lt;b&gt; & \"c\" \\| 50 %, d: e next"))
    #expect(text.contains("| `choir-eval explain 0 x` |"))
    #expect(text.contains("`choir-eval gate Corpus/gates/smoke.yaml`"))
    #expect(text.contains("To find out why, on r0: `choir-eval explain 0 x`"))
    // What failed has to be mended first.
    let accept = "If this change is intended: `choir-eval accept Corpus/gates/smoke.yaml"
    #expect(!text.contains(accept))
    let worse = Self.findings.filter { $0.kind != .failedCell }
    #expect(try summary(of: Self.result(worse)).contains(accept))
  }

  @Test func theSummaryNamesTheConditionOfEventsAndUnknownNoise() throws {
    var result = try Self.result([])
    #expect(try !summary(of: result).contains("is not known"))
    result.knowsNoise = false
    let instant = EventInstants.Instant(atSeconds: 0.5, voice: "+4", words: "a click")
    result.events = ["clean", "level(db=-6)"].map { condition in
      EventInstants(
        metric: "clicks.count", recording: "r1", condition: condition, instants: [instant])
    }
    let text = try summary(of: result)
    #expect(text.contains("| clicks.count | r1 | +4 | 0.500 | a click |"), "\(text)")
    #expect(text.contains("| clicks.count | r1 · level(db=-6) | +4 | 0.500 | a click |"))
    #expect(text.contains("measure it: choir-eval accept Corpus/gates/smoke.yaml --reason"))
  }

  @Test func aLongSummaryCountsWhatItLeavesOut() throws {
    let many = (0..<200).map { GateFinding(.regression, "figure \($0)", "worse") }
    let text = try summary(of: Self.result(many))
    #expect(
      text.contains("figure 9") && !text.contains("figure 10 ")
        && text.contains("190 further rows."))
  }

  // MARK: - Page

  /// Six recordings are 5 cents off before and 8 now, in both voices' one figure that changed.
  @Test func thePageShowsTheFigureBeforeAndAfter() throws {
    var result = try Self.result(Self.findings)
    result.causes = [CauseGroup(cause: .pitch, voices: ["+7"], head: Self.key, folded: [])]
    let page = try GatePage(result).page()
    #expect(page.verdict.outcome == .regression)
    let change = "Pitch error, voice +7, went from 5 to 8 cents on r0"
    #expect(
      page.verdict.sentence
        == "\(change) (measurable, not audible alone: listeners notice 10 cents). And 2 more.")
    let drawing = try #require(page.sections.first?.drawings.first)
    let plot = try #require(drawing.plot as? ChangePlot)
    #expect(plot.lines.map(\.name) == (0..<6).map { "r\($0)" })
    #expect(plot.lines.allSatisfy { $0.before == 5 && $0.after == 8 })
    for svg in try drawn(drawing) {
      #expect(svg.contains(">r5<") && svg.contains(">pitch error, cents<"))
    }
  }

  /// A delay of 0.4 ms is found first, but 20 cents are heard.
  @Test func whatIsHeardIsToldFirst() throws {
    func cells(_ latencyMs: Double, _ error: Double) -> [ComparedCell] {
      (0..<6).map { recording in
        ComparedCell(
          .init(recording: "r\(recording)", condition: "clean", score: "chord", configuration: ""),
          figures: [
            .init("latency.impulse", voice: "+4"): .value(latencyMs),
            .init("pitch.abs_error", voice: "+7"): .value(error),
          ], key: "0123456789abcdef")
      }
    }
    var result = try Self.result([GateFinding(.regression, "x", "worse")])
    let comparison = try RunComparison(baseline: cells(20, 5), candidate: cells(20.4, 25))
    result.comparison = comparison
    result.causes = CauseGroup.all(of: comparison.differences)
    #expect(result.causes.map(\.cause) == [.delay, .pitch])
    let sentence = try GatePage(result).page().verdict.sentence
    #expect(sentence.hasPrefix("Pitch error, voice +7, went from 5 to 25 cents"), "\(sentence)")
    #expect(sentence.contains("elay of voice +4"), "\(sentence)")
  }

  /// No voice is 25 000 cents off, no share exceeds 1, and nobody misses a hundred minimum effects.
  @Test(arguments: [
    ("cents", 25.0, 1200.0, 25_000.0), ("share", 0.05, 1, 1.42), ("dB", 0.5, 50, 51),
  ])
  func whatIsTooNoisyIsNotGuarded(
    unit: String, effect: Double, most: Double, beyond: Double
  ) throws {
    var result = try Self.result([])
    for (index, detectable) in [most, beyond].enumerated() {
      result.comparison?.differences[index].unit = unit
      result.comparison?.differences[index].minimumEffect = effect
      result.comparison?.differences[index].minimumDetectableEffect = detectable
    }
    let page = try GatePage(result).page()
    #expect(page.verdict.sentence.hasSuffix(" 1 figure is too noisy to tell."))
    let tables = try #require(page.sections.last { $0.id == "reach" }).tables
    #expect(tables.map(\.id) == ["noisy-table", "reach-table"])
    #expect(tables.map(\.rows.count) == [1, 1])
    #expect(tables.last?.rows.first?[4] == .amount(Amount(most)))
  }

  @Test func theVerdictOfThePageIsTheGates() throws {
    func outcome(_ findings: [GateFinding]) throws -> PageVerdict {
      try GatePage(Self.result(findings)).page().verdict
    }
    #expect(try outcome([]).outcome == .pass)
    let budget = GateFinding(
      .brokenBudget, "voice.missing · +4", "it is 8", metric: "voice.missing")
    #expect(try outcome([budget]).outcome == .exceeded)
    #expect(try outcome([budget]).sentence == "Missing voice · +4: it is 8.")
    let failed = GateFinding(.failedCell, "c", "crashed")
    #expect(try outcome([failed]).sentence == "1 of 6, such as c: crashed.")
    // Where nothing was measured, the budget is no news.
    #expect(try outcome([failed, budget]).outcome == .failed)
    #expect(try outcome([failed, budget]).sentence == "1 of 6, such as c: crashed. And 1 more.")
    #expect(try outcome([GateFinding(.missingCell, "c", "gone")]).outcome == .partial)
    #expect(try outcome([GateFinding(.inconclusive, "x", "who knows")]).outcome == .pass)
  }
}
