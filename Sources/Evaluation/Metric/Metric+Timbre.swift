extension Metric {
  static let timbre: [Metric] =
    ofPairs(
      PairMetric.formants, against: .oracleOrLead,
      versions: ["formant.f1_shift": 2, "formant.ratio": 3])
    + ofPairs([PairMetric.envelope], against: .oracleOrLead)
    + ofPairs([PairMetric.cepstrum], against: .oracle)
    + ofPairs([PairMetric.tilt, PairMetric.harmonicity], against: .oracleOrLead)
}
