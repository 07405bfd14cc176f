import EvaluationSupport
import Foundation
import Statistics
import TestSupport
import Testing

@testable import Metrics
@testable import choir_dev

@Suite struct SelftestTests {
  @Test func everyDefectHasANameAndMetricsThatAreMeasured() {
    let library = Defect.library
    #expect(Set(library.map(\.id)).count == library.count)
    for defect in library where !defect.isOfCost {
      #expect(defect.measured.unknownName == nil, "\(defect.id)")
      let measured = Set(defect.measured.metrics.map(\.id))
      for metric in defect.expected {
        #expect(measured.contains(metric), "\(defect.id) is not measured by \(metric)")
        #expect(Metric.metric(id: metric)?.minimumEffect != nil, "\(metric) is never judged")
      }
    }
  }

  /// Runs the whole selftest on a corpus of a buzz and the impulse probe.
  @Test func defectsOfProbesAreFound() async throws {
    let scratch = try TemporaryFolder()
    var settings = Selftest.Settings()
    (settings.trials, settings.nullTrialCount) = (5, 0)
    settings.metrics = MetricChoice(["latency", "contract"])
    settings.intervalsSemitones = [-5, 4]
    let wanted = ["misreport", "nan", "stale", "allocation", "delay-0.5"]
    let found = try await Selftest(
      settings, corpus: try scratch.corpus(),
      defects: Defect.library.filter { wanted.contains($0.id) },
      doses: Dose.faults.filter { $0.kind == .late })
    #expect(Set(found.defects.map(\.id)) == Set(wanted))
    for row in found.defects { #expect(row.detected?.successes == 5, "\(row.id)") }
    #expect(found.doses.count == 5 && found.passed)
  }

  @Test func dosesThatMissAreNotGood() {
    let meter = PlantedFault.Meter(name: "detuning", metric: "pitch.bias") { _ in 0.2 }
    func dose(_ measured: Double?) -> Dose {
      Dose(meter, 5, measured.map { .value($0) } ?? .undefined(Undefined(.notMeasured, "no voice")))
    }
    #expect(dose(5.19).isGood && !dose(5.21).isGood && !dose(4.7).isGood && !dose(nil).isGood)
  }

  /// `MetricDoseTests` holds the other doses.
  @Test(arguments: [Damage.Kind.late, .clicks(areEven: true)])
  func dosesComeOut(kind: Damage.Kind) throws {
    let fault = try #require(Dose.faults.first { $0.kind == kind })
    for dose in try DoseBench.doses(of: fault) {
      #expect(dose.isGood, "\(kind) \(dose.given): \(dose.measured ?? .nan)")
    }
  }
}
