import DSP

/// The reason why a sound, or a pair of sounds, has no value of a measure.
///
/// Programs compare `cause`; people read the description, which may hold the numbers of the case.
public struct Unmeasurable: Error, Equatable, CustomStringConvertible {
  public enum Cause: String, CaseIterable, Sendable {
    case empty, silent, notFinite, ratesDiffer, unsuitableRate, lengthsDiffer, outOfRange
    case tooLittleSound, tooLittleVoice, tooQuiet, nothingToMeasure
    case noImpulses, lostImpulses, noOnset, lostOnsets, flatContour, unclearSteps, noVibrato
    case uncorrelated, ambiguousDelay, changingDelay, methodsDiffer, uncertain, differentShapes
  }

  public let cause: Cause
  public let description: String

  public init(_ cause: Cause, _ description: String) {
    (self.cause, self.description) = (cause, description)
  }

  static let empty = Unmeasurable(.empty, "the sound has no samples")
  package static let silent = Unmeasurable(.silent, "the sound is silent")
  static let eitherSilent = Unmeasurable(.silent, "the input or the output is silent")
  package static let lessThanOneSecond = Unmeasurable(
    .nothingToMeasure,
    "both sounds are loud at once for less than 1 s; use a longer recording")

  static func notFinite(sample: Int) -> Unmeasurable {
    Unmeasurable(.notFinite, "sample \(sample) is not a number")
  }

  static func tooShort(seconds: Double, neededSeconds: Double) -> Unmeasurable {
    Unmeasurable(
      .tooLittleSound,
      "only \((seconds * 1000).rounded()) ms to measure; "
        + "use a sound of \((neededSeconds * 1000).rounded()) ms or more")
  }

  static func rateTooLow(hz: Double, minHz: Double) -> Unmeasurable {
    Unmeasurable(
      .unsuitableRate, "the sample rate is \(hz) Hz; use a recording of at least \(minHz) Hz")
  }

  static func ratesDiffer(_ output: Signal, _ reference: Signal) -> Unmeasurable {
    Unmeasurable(
      .ratesDiffer,
      "the output has \(output.sampleRateHz) Hz, the reference \(reference.sampleRateHz) Hz; "
        + "resample one of them")
  }
}

extension Signal {
  /// Throws if the signal is empty or silent, or has a sample that is not finite.
  func checkedForArtefacts() throws(Unmeasurable) {
    guard !samples.isEmpty else { throw .empty }
    if let sample = firstNonFinite { throw .notFinite(sample: sample) }
    guard hasSound else { throw .silent }
  }

  /// True if any sample exceeds -180 dBFS, which is far below the last bit of any recording.
  var hasSound: Bool { samples.contains { abs($0) > 1e-9 } }

  /// Throws unless both signals can be measured and have the same sample rate.
  func checkedForArtefacts(against reference: Signal) throws(Unmeasurable) {
    try checkedForArtefacts()
    try reference.checkedForArtefacts()
    guard sampleRateHz == reference.sampleRateHz else { throw .ratesDiffer(self, reference) }
  }
}
