import DSP

/// A reason why an artefact could not be measured.
public enum ArtefactFailure: Error, Equatable, CustomStringConvertible {
  case empty
  case silent
  case notFinite(sample: Int)
  case tooShort(seconds: Double, neededSeconds: Double)
  case ratesDiffer(outputHz: Double, referenceHz: Double)
  case rateTooLow(hz: Double, leastHz: Double)
  case outOfRange(String)
  /// The reference has no onset to measure.
  case noOnset
  /// No stretch of the needed length is loud enough.
  case notLoud(neededSeconds: Double)
  /// The sound contains nothing that the measure applies to.
  case nothingToHear(String)

  public var description: String {
    switch self {
    case .empty: "the sound has no samples"
    case .silent: "the sound is silent"
    case .notFinite(let sample): "sample \(sample) is not a number"
    case .tooShort(let seconds, let needed):
      "only \((seconds * 1000).rounded()) ms to measure; "
        + "use a sound of \((needed * 1000).rounded()) ms or more"
    case .ratesDiffer(let output, let reference):
      "the output has \(output) Hz, the reference \(reference) Hz; resample one of them"
    case .rateTooLow(let hz, let least):
      "the sample rate is \(hz) Hz; use a recording of at least \(least) Hz"
    case .outOfRange(let text): text
    case .noOnset: "the reference has no onset that rises by 20 dB out of quiet"
    case .notLoud(let needed): "nowhere is the sound loud for \(needed) s on end"
    case .nothingToHear(let text): text
    }
  }
}

extension Signal {
  /// Throws if the signal is empty or silent, or has a sample that is not finite.
  func checkedForArtefacts() throws(ArtefactFailure) {
    guard !samples.isEmpty else { throw .empty }
    if let sample = firstNonFinite { throw .notFinite(sample: sample) }
    guard hasSound else { throw .silent }
  }

  /// True if any sample exceeds -180 dBFS, which is far below the last bit of any recording.
  var hasSound: Bool { samples.contains { abs($0) > 1e-9 } }

  /// Throws unless both signals can be measured and have the same sample rate.
  func checkedForArtefacts(against reference: Signal) throws(ArtefactFailure) {
    try checkedForArtefacts()
    try reference.checkedForArtefacts()
    guard sampleRateHz == reference.sampleRateHz else {
      throw .ratesDiffer(outputHz: sampleRateHz, referenceHz: reference.sampleRateHz)
    }
  }
}
