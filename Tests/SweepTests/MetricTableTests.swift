import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Metrics
@testable import Sweep

@Suite struct MetricTableTests {
  @Test func everyMetricHasAUniqueNameAndASummary() {
    let ids = Metric.builtIn.map(\.id)
    #expect(Set(ids).count == ids.count)
    for metric in Metric.builtIn {
      #expect(!metric.unit.isEmpty && !metric.summary.isEmpty && !metric.domain.isEmpty)
      #expect(metric.version >= 1, "\(metric.id)")
    }
  }

  @Test func everySummaryBeginsWithATitle() {
    let titles = ["pitch.abs_error": "pitch error", "intelligibility.stoi": "STOI"]
    for (id, title) in titles { #expect(Metric.metric(id: id)?.title == title) }
    for metric in Metric.builtIn {
      // Names of metrics are no words.
      let title = metric.title
      #expect(2...90 ~= title.count && !title.contains(/[a-z][._][a-z]/), "\(title)")
    }
  }

  /// Metrics of file pairs and of voices share ids only if they have the same unit and method.
  @Test func everyFigureOfAPairIsAMetric() {
    let own = Dictionary(
      uniqueKeysWithValues: PairMetric.ofSoundsOnly.map { ($0.figure.id, $0.inRuns) })
    #expect(own == ["tremolo.added": "tremolo.depth", "tremolo.added_rate": "tremolo.rate"])
    for (id, inRuns) in own {
      #expect(Metric.metric(id: id) == nil)
      #expect(Metric.metric(id: inRuns) != nil)
      #expect(!PairMetric.all.flatMap(\.figures).contains { $0.id == inRuns })
    }
    for figure in PairMetric.all.flatMap(\.figures) where own[figure.id] == nil {
      let metric = Metric.metric(id: figure.id)
      #expect(metric?.unit == figure.unit && metric?.direction == figure.direction, "\(figure.id)")
    }
  }

  @Test func aChoiceNamesFamiliesAndMetrics() {
    let some = MetricChoice(["cost", "pitch.bias"])
    #expect(some.metrics.first?.id == "pitch.bias" && some.metrics.count == Metric.cost.count + 1)
    #expect(MetricChoice.everything.metrics.count == Metric.builtIn.count)
    #expect(some.fingerprint != MetricChoice.everything.fingerprint)
    #expect(MetricChoice(["pitch", "pitsch"]).unknownName == "pitsch")
  }

  @Test func aPlanMeasuresWhatItLists() async throws {
    let scratch = try TemporaryFolder()
    let store = try ResultStore(scratch.file("results.sqlite"))
    let plan = try Plan.decoded(smallPlan + "\nmetrics: [latency, pitch.bias]")
    let corpus = try scratch.corpus()
    _ = try await Sweep(plan, corpus: corpus, store: store).run(jobs: 1)
    let cell = try #require(store.run().cells.first)
    #expect(Set(cell.measurements.keys) == Set(Metric.latency.map(\.id) + ["pitch.bias"]))
    #expect(throws: Plan.Problem.self) { try Plan.decoded(smallPlan + "\nmetrics: [pitsch]") }
    #expect(throws: Plan.Problem.self) { try Plan.decoded(smallPlan + "\nmetrics: []") }
    // Another choice of metrics makes another cell.
    #expect(try Sweep(Plan.decoded(smallPlan), corpus: corpus, store: store).pending().count == 4)
  }
}
