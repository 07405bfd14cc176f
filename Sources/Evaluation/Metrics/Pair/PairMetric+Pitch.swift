extension PairMetric {
  static let delay = PairMetric(
    [
      .init(
        "latency.alignment", unit: "ms", .lower,
        "Delay of the test: by waveform if the waveforms correlate, otherwise by loudness, and 0 "
          + "if it is within two standard deviations of 0; otherwise by the pitch contour")
    ], domain: "sounds with onsets and ends; waveforms or loudness that correlate at one lag"
  ) { pair in
    switch pair.delay {
    case .waveform(let found): [.value(found.delayMs, count: 1)]
    case .loudness(let found): [.value(found.delayMs, count: 1)]
    case .pitch(let found, _): [.value(found.lagMs, count: 1)]
    case .given: [.undefined(.delayGiven, "the delay was given")]
    case .unknown(let reason): [.undefined(reason)]
    }
  }

  static let pitch = [
    PairMetric(Metric.pitchErrors), PairMetric([Metric.missing]), PairMetric([Metric.ghost]),
    PairMetric(Metric.vibrato),
  ]
}
