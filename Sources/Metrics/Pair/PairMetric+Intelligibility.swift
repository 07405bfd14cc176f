import Analyzer

extension PairMetric {
  static let intelligibility = [stoi, vocodedStoi, covariance, modulation]

  static let stoi = PairMetric(
    [
      ratio("intelligibility.stoi", "STOI: how much of the words survived"),
      ratio("intelligibility.estoi", "ESTOI: the same, sterner on what masks them"),
    ], domain: "sounds of the same pitch that sound for half a second"
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
        "STOI with the pitch taken out of both: valid for pitches that differ"),
      ratio("intelligibility.estoi.vocoded", "ESTOI of the same"),
    ], domain: "sounds that last for half a second"
  ) { (pair: SoundPair) throws in
    let found = try Intelligibility(
      vocodedOf: pair.aligned.test, against: pair.aligned.reference)
    return [
      .value(found.stoi, count: found.frameCount), .value(found.estoi, count: found.frameCount),
    ]
  }

  static let covariance = PairMetric(
    [ratio("intelligibility.ncm", "Normalized covariance: loudness followed in 20 bands")],
    domain: "sounds of the same pitch that sound for half a second"
  ) { (pair: SoundPair) throws in
    let found = try NormalizedCovariance(
      of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(found.ncm, count: 1)]
  }

  static let modulation = PairMetric(
    [
      ratio(
        "intelligibility.modulation",
        "Likeness of the modulations of loudness, 1 to 32 Hz; valid for pitches that differ")
    ], domain: "sounds that last for half a second"
  ) { (pair: SoundPair) throws in
    let found = try ModulationSpectrum(of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(found.similarity, count: 1)]
  }

  private static func ratio(_ id: String, _ summary: String) -> Figure {
    .init(id, unit: "ratio", .higher, summary)
  }
}
