import Analyzer

extension Metric {
  /// Measures that need equal pitch are taken against the oracle only.
  static let intelligibility = [
    PairMetric.stoi, .covariance, .vocodedStoi, .similarity,
  ].flatMap(\.metrics).map(\.ofWords)

  /// The same metric, undefined on a recording without words.
  private var ofWords: Metric {
    Metric(figure, domain: "speech and sung words: \(domain)") { observation in
      guard observation.recording.holdsWords || observation.isProbe else { throw Undefined.noWords }
      return measure(observation)
    }
  }
}

extension PairMetric {
  static let intelligibility = [stoi, vocodedStoi, covariance, similarity]

  static let stoi = PairMetric(
    [
      ratio("stoi", version: 4, "STOI: short-time objective intelligibility"),
      ratio("estoi", version: 4, "ESTOI: extended STOI, stricter about masking"),
    ], domain: "sounds of equal pitch with at least 0.5 s of sound", against: .oracle,
    suitsMixes: true
  ) { pair in
    let result = try Intelligibility(of: pair.aligned.test, against: pair.aligned.reference)
    return [result.stoi, result.estoi].map { .value($0, count: result.frameCount) }
  }

  static let covariance = PairMetric(
    [ratio("ncm", version: 3, "Normalized covariance of the envelopes in 20 bands")],
    domain: "sounds of equal pitch with at least 0.5 s of sound", against: .oracle,
    suitsMixes: true
  ) { pair in
    let result = try NormalizedCovariance(of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(result.ncm, count: 1)]
  }

  static let vocodedStoi = PairMetric(
    [
      ratio(
        "stoi.vocoded", version: 3,
        "STOI after removing the pitch of both; valid for different pitches"),
      ratio("estoi.vocoded", version: 3, "ESTOI after removing the pitch of both"),
    ], domain: "sounds of at least 0.5 s", against: .oracleOrLead, suitsMixes: true
  ) { pair in
    let result = try Intelligibility(vocodedOf: pair.aligned.test, against: pair.aligned.reference)
    return [result.stoi, result.estoi].map { .value($0, count: result.frameCount) }
  }

  static let similarity = PairMetric(
    [
      ratio(
        "modulation", version: 3,
        "Similarity of loudness modulations, 1 to 32 Hz; valid for different pitches")
    ], domain: "sounds of at least 0.5 s", against: .oracleOrLead, suitsMixes: true
  ) { pair in
    let spectrum = try ModulationSpectrum(of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(spectrum.similarity, count: 1)]
  }

  private static func ratio(_ name: String, version: Int, _ summary: String) -> Metric.Figure {
    .init("intelligibility.\(name)", version: version, unit: "ratio", .higher, summary)
  }
}
