import Analyzer

extension Metric {
  /// Full-reference measures, valid under a change of pitch because the reference is the same
  /// singer at the target pitch.
  static let intelligibility: [Metric] = [
    ofOracle(
      "intelligibility.stoi", "How much of the words survived, STOI against the oracle", \.stoi),
    ofOracle(
      "intelligibility.estoi", "How much of the words survived, ESTOI against the oracle",
      \.estoi),
  ]

  private static func ofOracle(
    _ id: String, _ text: String, _ part: @escaping @Sendable (Intelligibility) -> Double
  ) -> Metric {
    Metric(
      id, unit: "ratio", .higher, text, domain: "performances of the synthetic singer"
    ) { observation in
      if observation.isProbe { return [.undefined("a probe has no voice")] }
      guard let voices = observation.intelligibility else {
        return [.undefined("only the synthetic singer has an oracle")]
      }
      return voices.enumerated().map { voice, result in
        switch result {
        case .success(let found): .value(part(found), voice: voice, count: found.frameCount)
        case .failure(let failure): .undefined("\(failure)", voice: voice)
        }
      }
    }
  }
}
