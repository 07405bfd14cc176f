extension Metric {
  /// Measures of sounds of one pitch hold where the reference is the same singer at the target pitch;
  /// the others don't mind.
  static let intelligibility: [Metric] =
    ofPairs(
      [PairMetric.stoi, PairMetric.covariance], against: .oracle,
      versions: ["intelligibility.stoi": 2, "intelligibility.estoi": 2])
    + ofPairs([PairMetric.vocodedStoi, PairMetric.modulation], against: .oracleOrLead)
}
