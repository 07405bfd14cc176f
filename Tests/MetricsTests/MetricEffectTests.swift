import Testing

@testable import Metrics

@Suite struct MetricEffectTests {
  /// The loss rises against a metric's direction, or with the distance from its ideal.
  @Test func lossFollowsTheDirection() throws {
    let error = try #require(Metric.metric(id: "pitch.abs_error"))
    #expect(error.loss(3)! > error.loss(1)!)
    let words = try #require(Metric.metric(id: "intelligibility.estoi"))
    #expect(words.loss(0.4)! > words.loss(0.6)!)
    let formants = try #require(Metric.metric(id: "formant.ratio"))
    #expect(formants.loss(0.9)! > formants.loss(1.05)!)
    #expect(formants.loss(1.2)! > formants.loss(1.05)!)
    let bias = try #require(Metric.metric(id: "pitch.bias"))
    #expect(bias.loss(-4) == bias.loss(4))
  }

  @Test func descriptiveMetricsAreNotJudged() throws {
    for id in [
      "tremolo.rate", "doubling.delay", "truth.excluded", "latency.alignment",
    ] {
      #expect(try #require(Metric.metric(id: id)).minimumEffect == nil)
    }
  }

  @Test func judgedMetricsHaveAPositiveEffectAndALoss() {
    for metric in Metric.builtIn where metric.minimumEffect != nil {
      #expect(metric.minimumEffect! > 0 && metric.loss(1) != nil, "\(metric.id)")
    }
  }
}
