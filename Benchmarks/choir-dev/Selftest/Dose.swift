import Metrics

/// A known amount of one fault, and what the metric for it measures.
struct Dose: Encodable, Sendable {
  /// The quantity, such as `detuning`.
  var kind: String
  var metric: String
  var unit: String
  var given: Double
  /// The measured amount; `nil` if the metric is undefined.
  var measured: Double?
  var allowed: Double
  var undefined: String?

  var isGood: Bool { measured.map { abs($0 - given) <= allowed } ?? false }

  static let amounts = [0.0, 1, 2, 5, 10]

  /// The faults that a metric reads in the unit of their doses.
  static let faults = PlantedFault.all.filter { $0.meter != nil }

  init(_ meter: PlantedFault.Meter, _ given: Double, _ outcome: MetricResult.Outcome) {
    (kind, metric, self.given) = (meter.name, meter.metric, given)
    unit = Metric.metric(id: meter.metric)!.unit
    allowed = meter.allowed(given)
    switch outcome {
    case .value(let value): measured = value
    case .undefined(let reason): undefined = reason.detail
    }
  }
}
