import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Gate

@Suite struct GateReadingTests {
  private let scratch = try! TemporaryFolder()

  @Test func everyKeyIsRead() throws {
    let url = try scratch.write(
      """
      plan: ../plans/smoke.yaml
      baseline: smoke.tsv
      metrics: [pitch, latency.onset]
      minimumEffects: {pitch.abs_error: 3}
      level: 0.01
      maxMissingShare: 0.1
      cells: 42
      jobs: 2
      budgets:
        - {metric: latency.onset, of: worst, max: 50}
        - {metric: pitch.within_25, min: 0.5, voice: "+4"}
      cost:
        minimumPercent: 3
        settings: [{engine: psola}, {engine: delayline, windowMs: 40}]
      """, to: "gates/smoke.yaml")
    let gate = try Gate(reading: url)
    #expect(gate.planFile.standardizedFileURL.path == scratch.file("plans/smoke.yaml").path)
    #expect(gate.baselineFile.path == scratch.file("gates/smoke.tsv").path)
    #expect(gate.noiseFile.path == scratch.file("gates/smoke.noise.tsv").path)
    #expect(gate.comparedMetrics.contains("latency.onset"))
    #expect(gate.comparedMetrics.contains("pitch.abs_error"))
    #expect(!gate.comparedMetrics.contains("formant.ratio"))
    #expect(gate.minimumEffects == ["pitch.abs_error": 3] && gate.level == 0.01)
    #expect(gate.maxMissingShare == 0.1 && gate.cells == 42 && gate.jobs == 2)
    #expect(
      gate.budgets == [
        Budget("latency.onset", of: .worst, max: 50),
        Budget("pitch.within_25", min: 0.5, voice: "+4"),
      ])
    let cost = try #require(gate.cost)
    #expect(cost.minimumPercent == 3)
    #expect(cost.settings.map(\.canonical) == ["engine=psola", "engine=delayline windowMs=40"])
  }

  /// A gate knows the own metrics of its plan.
  @Test func ownMetricsOfThePlanHaveBudgets() throws {
    try scratch.write(
      """
      {id: toy.gated, title: a script, unit: points, direction: lower, minimumEffect: 2, domain: any,
        command: [sh, "{output}"]}
      """, to: "plans/metrics/toy.gated.yaml")
    try scratch.write(buzzPlan + "\nmetrics: [pitch.bias, toy.gated]\n", to: "plans/plan.yaml")
    let url = try scratch.write(
      "plan: ../plans/plan.yaml\nbudgets:\n  - {metric: toy.gated, max: 3}", to: "gates/own.yaml")
    let gate = try Gate(reading: url)
    #expect(gate.budgets == [Budget("toy.gated", max: 3)])
    #expect(gate.comparedMetrics.contains("toy.gated"))
  }

  @Test(arguments: [
    ("plan: a\nbaseline: b\nbudget: []", "line 3: the gate has no 'budget'; it has plan, baseline"),
    ("baseline: b\n", "lacks 'plan'"), ("", "is empty"), ("plan: [", "is not YAML"),
    (
      "plan: a\nbaseline: b\nmetrics: [pich]",
      "line 3: 'pich' is no metric or family; the nearest is pitch"
    ),
    ("plan: a\nbuild: ' '", "line 2: build is empty; write a shell command, such as make"),
    ("plan: a\nbaseline: b\nlevel: 2", "line 3: level is 2.0; choose 0.001 to 0.2"),
    ("plan: a\nbaseline: b\ncells: 0", "line 3: cells is 0; choose 1 or more"),
    ("plan: a\nbaseline: b\ncells: many", "line 3: cells is 'many'; write a whole number"),
    (
      "plan: a\nbaseline: b\nminimumEffects:\n  pitch.abs_error: 0",
      "line 4: pitch.abs_error is 0.0; choose more than 0"
    ),
    (
      "plan: a\nbaseline: b\nminimumEffects: {tremolo.rate: 1}",
      "'tremolo.rate' only describes: no value is better than another"
    ),
    (
      "plan: a\nbaseline: b\nbudgets:\n  - {metric: clicks.count}",
      "line 4: the budget of clicks.count has neither max nor min"
    ),
    (
      "plan: a\nbaseline: b\nbudgets:\n  - {metric: clicks.count, max: 1, min: 2}",
      "the budget of clicks.count has max 1.0 below min 2.0"
    ),
    (
      "plan: a\nbaseline: b\ncost:\n  setting: []",
      "line 4: cost has no 'setting'; it has settings, minimumPercent"
    ),
    ("plan: a\nbaseline: b\ncost: yes", "line 3: cost is 'yes'; write keys with values"),
    (
      "plan: a\nbaseline: b\ncost:\n  minimumPercent: 0",
      "line 4: minimumPercent is 0.0; choose 0.1 to 100"
    ),
    (
      "plan: a\nbaseline: b\nbudgets:\n  - {metric: clicks, max: 1}",
      "'clicks' is no metric; the nearest is clicks.count"
    ),
    (
      "plan: a\nbaseline: b\nbudgets:\n  - {metric: clicks.count, most: 1}",
      "line 4: a budget has no 'most'; it has metric, of, max, min, voice"
    ),
    (
      "plan: a\nbaseline: b\nbudgets:\n  - {metric: clicks.count, of: max, max: 1}",
      "'max' is none of mean, median, worst, undefined"
    ),
  ])
  func mistakesAreNamedByLine(text: String, words: String) throws {
    let url = try scratch.write(text, to: "gate.yaml")
    expectError(words) { try Gate(reading: url) }
  }
}
