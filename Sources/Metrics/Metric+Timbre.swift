extension Metric {
  static let timbre: [Metric] =
    ofPairs(
      PairMetric.formants, against: .oracleOrLead,
      versions: [
        "formant.f1_shift": 3, "formant.f2_shift": 2, "formant.f3_shift": 2, "formant.ratio": 3,
      ])
    + ofPairs([PairMetric.envelope], against: .oracleOrLead, versions: ["envelope.lsd": 2])
    + ofPairs([PairMetric.cepstrum], against: .oracle)
    + ofPairs([PairMetric.tilt, PairMetric.harmonicity], against: .oracleOrLead)
}
