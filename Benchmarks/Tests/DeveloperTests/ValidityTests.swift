import Foundation
import Metrics
import Testing

@testable import choir_dev

@Suite struct ValidityTests {
  /// The short form: one class, and metrics that are known to be good and to be useless there.
  @Test func aGoodMetricDecidesAndABadOneDoesNot() async throws {
    var settings = Validity.Settings()
    (settings.seconds, settings.takes, settings.classes) = (3, 1, ["vowels-low"])
    settings.metrics = MetricChoice([
      "pitch.abs_error", "pitch.residual", "pitch.lag", "modulation.added", "doubling.level",
      "intelligibility.estoi",
    ])
    let validity = try await Validity(settings, jobs: 2)
    func found(_ id: String) -> MetricValidity? { validity.findings.first { $0.metric == id } }
    #expect(found("pitch.abs_error")?.grade == .decides)
    #expect(found("modulation.added")?.isMonotone == true)
    #expect(found("modulation.added")?.rank ?? 0 >= 0.9)
    #expect(found("doubling.level")?.grade != .decides)
    // A vowel has no words.
    #expect(found("intelligibility.estoi") == nil)
    // A contour that is late is no mistuning.
    let lag = try #require(found("pitch.lag"))
    #expect(lag.isMonotone == true)
  }

  private func ladder(_ losses: [Double]) -> ValidityLadder {
    ValidityLadder(
      kind: .init(.vowels, .low), ideal: ["pitch.bias": losses[0]], systems: [],
      damage: [
        .init(fault: PlantedFault.ladders[0], values: losses.dropFirst().map { ["pitch.bias": $0] })
      ], takes: [])
  }

  /// Doses of 3, 10 and 30 cents: a metric that falls from one to the next by more than half its
  /// minimum effect of 2 cents doesn't follow.
  @Test(arguments: [
    ([0.0, 3, 10, 30], true), ([0, 3, 2.5, 30], true), ([0, 10, 3, 30], false),
    ([0, 0.1, 0.2, 0.3], false), ([0, -3, -10, -30], true),
  ])
  func dosesAreFollowedOrNot(values: [Double], expected: Bool) throws {
    let metric = try #require(Metric.metric(id: "pitch.bias"))
    #expect(ladder(values).validity(of: metric)?.isMonotone == expected)
  }

  /// Pairs counted by hand: 1 for the known order, -1 for the reverse; of places 1 to 3 with losses 1,
  /// 3, 2 two pairs agree and one does not. Systems at one place have no order, but each counts against
  /// those of the others: the means of 1, 10 and 2, 11 are in order, and one pair of four is not.
  @Test func anOrderIsCountedInPairs() throws {
    func agreement(_ places: [Double], _ losses: [Double]) throws -> Double {
      try #require(ValidityLadder.agreement(of: losses, with: places))
    }
    #expect(try agreement([1, 2, 3], [0.1, 0.2, 7]) == 1)
    #expect(try agreement([1, 2, 3], [7, 0.2, 0.1]) == -1)
    #expect(abs(try agreement([1, 2, 3], [1, 3, 2]) - 1.0 / 3) < 1e-12)
    #expect(try agreement([0, 1, 1, 2], [0, 2, 1, 9]) == 1)
    #expect(try agreement([1, 1, 2, 2], [1, 10, 2, 11]) == 0.5)
    #expect(try agreement([1, 2, 2], [5, 5, 6]) == 1)
    #expect(ValidityLadder.agreement(of: [1, 2, 3], with: [1, 1, 1]) == nil)
  }

  /// Differences below the tolerance are ties, counted from the smallest of a level.
  @Test func smallDifferencesAreTies() {
    #expect(ValidityLadder.levels(of: [3, 0, 0.8, 1.6, 3.5], tolerance: 1) == [3, 0, 0, 1.6, 3])
    #expect(ValidityLadder.levels(of: [2, 2], tolerance: 0) == [2, 2])
  }

  /// Systems that all sing within 2 cents don't differ in pitch, so their order says nothing about the
  /// metric; one that errs by 30 cents does.
  @Test(arguments: [(1.5, nil), (30, 1.0)])
  func anOrderNeedsADifference(worst: Double, expected: Double?) throws {
    let metric = try #require(Metric.metric(id: "pitch.abs_error"))
    var ladder = ladder([0, 3, 10, 30])
    ladder.ideal = ["pitch.abs_error": 0]
    ladder.systems = [0.5, 0.2, worst].enumerated().map {
      ("\($0)", $0 == 2 ? 2 : 1, 0, ["pitch.abs_error": $1])
    }
    let rank = ladder.validity(of: metric)?.rank
    #expect((rank == nil) == (expected == nil) && abs((rank ?? 0) - (expected ?? 0)) < 0.2)
  }

  /// A latency of -1 ms is as wrong as one of 1 ms.
  @Test(arguments: [(-0.4, true), (-1, false), (0.4, true), (1, false)])
  func aNegativeLatencyIsNotIdeal(ms: Double, expected: Bool) throws {
    let metric = try #require(Metric.metric(id: "latency.onset"))
    var ladder = ladder([0])
    ladder.ideal = ["latency.onset": ms]
    #expect(ladder.validity(of: metric)?.readsIdealOnIdealVoice == expected)
  }

  /// Every pattern of a fault names a metric.
  @Test func faultsNameMetrics() {
    for fault in PlantedFault.ladders {
      #expect(!fault.about.isEmpty, "\(fault.name)")
      for pattern in fault.about {
        let one = PlantedFault(kind: fault.kind, name: "", about: [pattern])
        #expect(Metric.all.contains { one.isAbout($0.id) }, "\(pattern)")
      }
    }
  }
}
