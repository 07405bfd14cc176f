import Analyzer

extension PairMetric {
  static let intelligibility = [stoi, vocodedStoi, covariance, similarity]

  static let stoi = PairMetric(
    [
      ratio("intelligibility.stoi", "STOI: short-time objective intelligibility"),
      ratio("intelligibility.estoi", "ESTOI: extended STOI, stricter about masking"),
    ], domain: "sounds of equal pitch with at least 0.5 s of sound", suitsMixes: true
  ) { (pair: SoundPair) throws in
    let found = try Intelligibility(of: pair.aligned.test, against: pair.aligned.reference)
    return [
      .value(found.stoi, count: found.frameCount), .value(found.estoi, count: found.frameCount),
    ]
  }

  static let vocodedStoi = PairMetric(
    [
      ratio(
        "intelligibility.stoi.vocoded",
        "STOI after removing the pitch of both; valid for different pitches"),
      ratio("intelligibility.estoi.vocoded", "ESTOI after removing the pitch of both"),
    ], domain: "sounds of at least 0.5 s", suitsMixes: true
  ) { (pair: SoundPair) throws in
    let found = try Intelligibility(
      vocodedOf: pair.aligned.test, against: pair.aligned.reference)
    return [
      .value(found.stoi, count: found.frameCount), .value(found.estoi, count: found.frameCount),
    ]
  }

  static let covariance = PairMetric(
    [ratio("intelligibility.ncm", "Normalized covariance of the envelopes in 20 bands")],
    domain: "sounds of equal pitch with at least 0.5 s of sound", suitsMixes: true
  ) { (pair: SoundPair) throws in
    let found = try NormalizedCovariance(
      of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(found.ncm, count: 1)]
  }

  static let similarity = PairMetric(
    [
      ratio(
        "intelligibility.modulation",
        "Similarity of loudness modulations, 1 to 32 Hz; valid for different pitches")
    ], domain: "sounds of at least 0.5 s", suitsMixes: true
  ) { (pair: SoundPair) throws in
    let found = try ModulationSpectrum(of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(found.similarity, count: 1)]
  }

  private static func ratio(_ id: String, _ summary: String) -> Figure {
    .init(id, unit: "ratio", .higher, summary)
  }
}
