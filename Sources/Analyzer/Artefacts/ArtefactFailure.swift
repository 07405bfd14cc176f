import DSP

/// Why an artefact could not be measured.
public enum ArtefactFailure: Error, Equatable, CustomStringConvertible {
  case empty
  case silent
  case notFinite(sample: Int)
  case tooShort(seconds: Double, neededSeconds: Double)
  case ratesDiffer(outputHz: Double, referenceHz: Double)
  case rateTooLow(hz: Double, leastHz: Double)
  case outOfRange(String)
  /// The sound has none of what the measure listens to.
  case nothingToHear(String)

  public var description: String {
    switch self {
    case .empty: "the sound has no samples"
    case .silent: "the sound is silent"
    case .notFinite(let sample): "sample \(sample) is not a number"
    case .tooShort(let seconds, let needed):
      "only \((seconds * 1000).rounded()) ms to measure; \((needed * 1000).rounded()) ms are needed"
    case .ratesDiffer(let output, let reference):
      "the output has \(output) Hz, the reference \(reference) Hz; resample one of them"
    case .rateTooLow(let hz, let least): "a sample rate of \(hz) Hz is below \(least) Hz"
    case .outOfRange(let text): text
    case .nothingToHear(let text): text
    }
  }
}

extension Signal {
  /// Throws where there is nothing but silence, or something that is not a number.
  func checkedForArtefacts() throws(ArtefactFailure) {
    guard !samples.isEmpty else { throw .empty }
    if let sample = firstNonFinite { throw .notFinite(sample: sample) }
    guard hasSound else { throw .silent }
  }

  /// Whether any sample is louder than far below the last bit of any recording.
  var hasSound: Bool { samples.contains { abs($0) > 1e-9 } }

  /// Throws unless both can be measured against each other.
  func checkedForArtefacts(against reference: Signal) throws(ArtefactFailure) {
    try checkedForArtefacts()
    try reference.checkedForArtefacts()
    guard sampleRateHz == reference.sampleRateHz else {
      throw .ratesDiffer(outputHz: sampleRateHz, referenceHz: reference.sampleRateHz)
    }
  }
}
