/// Related metrics under a name by which a plan can choose them.
public struct MetricFamily: Sendable {
  /// Name in a plan.
  public let id: String
  /// Title for people.
  public let title: String
  public let metrics: [Metric]

  /// The family of the users' own metrics.
  static let ownID = "own"

  /// The only table from which runs, reports, the command line and documents take their metrics. The
  /// users' own metrics are a family if a plan that was read has any.
  public static var all: [MetricFamily] {
    let own = OwnMetric.known
    return own.isEmpty
      ? builtIn : builtIn + [MetricFamily(id: ownID, title: "Your own metrics", metrics: own)]
  }

  /// The users' own metrics that are known; `nil` if there are none.
  public static var own: MetricFamily? { all.first { $0.id == ownID } }

  /// The families of this toolkit.
  static let builtIn = [
    MetricFamily(id: "pitch", title: "Pitch, voice by voice", metrics: Metric.pitch),
    MetricFamily(id: "voices", title: "Voices and chords", metrics: Metric.voices),
    MetricFamily(id: "mix", title: "Voices inside a mix", metrics: Metric.mix),
    MetricFamily(id: "control", title: "Following notes", metrics: Metric.control),
    MetricFamily(id: "latency", title: "Latency", metrics: Metric.latency),
    MetricFamily(id: "timbre", title: "Formants and timbre", metrics: Metric.timbre),
    MetricFamily(id: "words", title: "Intelligibility", metrics: Metric.intelligibility),
    MetricFamily(id: "consonants", title: "Consonants", metrics: Metric.consonants),
    MetricFamily(id: "artefacts", title: "Artefacts", metrics: Metric.artefacts),
    MetricFamily(id: "stereo", title: "Stereo", metrics: Metric.stereo),
    MetricFamily(id: "contract", title: "Audio thread contract", metrics: Metric.contract),
    MetricFamily(id: "cost", title: "Cost", metrics: Metric.cost),
    MetricFamily(id: "truth", title: "Certainty of the lead's pitch", metrics: Metric.truth),
  ]

  /// Returns the family of a metric.
  public static func family(of metric: String) -> MetricFamily? {
    all.first { $0.metrics.contains { $0.id == metric } }
  }
}

extension Metric {
  /// Metrics of a finished mix beside the recording that it was made from. They need no access to
  /// the subject.
  package static let ofFinishedMixes =
    pitch + voices + mix + latency + timbre + intelligibility + consonants + artefacts
}
