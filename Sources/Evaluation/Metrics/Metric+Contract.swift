extension Metric {
  private static let contractDomain =
    "probes; live subjects, of this package or plugins, on a second of voice, 2.75 s of silence and half a "
    + "second of voice"

  /// Properties of a live subject that an audio thread relies on.
  package static let contract: [Metric] = [
    ofContract(
      "contract.non_finite", unit: "count", "Non-finite samples, in sound or silence"
    ) { Double($0.nonFiniteCount) },
    ofContract(
      "contract.stale", unit: "share", "Samples that differ after a reset"
    ) { $0.changedShare },
    ofContract(
      "contract.allocations", version: 2, unit: "1/block",
      "Allocations, releases and locks on the audio thread"
    ) { $0.allocationsPerBlock },
  ]

  private static func ofContract(
    _ id: String, version: Int = 1, unit: String, _ text: String,
    because: Undefined = .hiddenAllocations, _ part: @escaping @Sendable (LiveContract) -> Double?
  ) -> Metric {
    Metric(id, version: version, unit: unit, .lower, text, domain: contractDomain) { observation in
      switch observation.contract {
      case nil: [.undefined(.probesOnly, "tried on probes only")]
      case .failure(let untried): [.undefined(untried)]
      case .success(let contract):
        [part(contract).map { .value($0, count: 1) } ?? .undefined(because)]
      }
    }
  }
}
