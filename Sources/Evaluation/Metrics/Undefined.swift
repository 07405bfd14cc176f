import Analyzer

/// The reason why a metric has no value.
///
/// Programs compare `code`; people read `detail`, which may hold the numbers of the case.
public struct Undefined: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, CaseIterable, Sendable {
    // The score asks for nothing of the kind.
    case noNoteMoves, nothingTuned, oneVoice, inseparable
    // The recording has nothing of the kind.
    case noVoice, probesOnly, soundsOnly, noImpulses, noOracle, noPhones, noObstruents
    // Stores of versions before 2026-11 have noQuietStretch, which nothing gives any more.
    case noConsonantNoise, noVibrato, noOnset, noQuietStretch, pitchTooHigh, pitchTooLow
    case tooQuiet, tooShort, noWords, flatContour, notValid
    // The subject has nothing of the kind, which is no fault.
    case noEcho, noStatedDelay, noStems, stemsGiven, noStereo, delayGiven
    // No law predicts a value.
    case noLaw

    // A value was possible.
    case tooLittleVoice, tooFewNotes, tooFewOnsets, tooLittleSound, unclearSteps, unresolved
    case differentShapes, uncorrelated, ambiguousDelay, changingDelay, methodsDiffer, uncertain,
      lostOnsets, lostImpulses,
      noPeriod, noHarmonics, silent
    case empty, notFinite, ratesDiffer, unsuitableRate, lengthsDiffer, nothingToMeasure, outOfRange
    // The way it was measured gives none.
    case notRequested, notTimed, notObservable, hiddenAllocations, noBlocks, lawlessTail
    case notMeasured, failed

    /// True if no subject could have a value: the recording or the score leaves nothing to measure.
    public var doesNotApply: Bool {
      switch self {
      case .noNoteMoves, .nothingTuned, .oneVoice, .inseparable, .noVoice, .probesOnly,
        .soundsOnly, .noImpulses, .noOracle, .noPhones, .noObstruents, .noConsonantNoise,
        .noVibrato, .noOnset,
        .noQuietStretch, .pitchTooHigh, .pitchTooLow, .tooQuiet, .tooShort, .noWords,
        .flatContour, .notValid, .noEcho, .noStatedDelay, .noStems, .stemsGiven, .noStereo,
        .delayGiven,
        .noLaw:
        true
      case .tooLittleVoice, .tooFewNotes, .tooFewOnsets, .tooLittleSound, .unclearSteps,
        .unresolved, .differentShapes, .uncorrelated, .ambiguousDelay, .changingDelay,
        .methodsDiffer, .uncertain, .lostOnsets,
        .lostImpulses, .noPeriod,
        .noHarmonics, .silent, .empty, .notFinite, .ratesDiffer, .unsuitableRate, .lengthsDiffer,
        .nothingToMeasure, .outOfRange, .notRequested, .notTimed, .notObservable,
        .hiddenAllocations, .noBlocks, .lawlessTail, .notMeasured, .failed:
        false
      }
    }
  }

  /// True if the sound was measured and could have had a value, but had none.
  public var isOfSound: Bool {
    switch code {
    case .notRequested, .notTimed, .notObservable, .hiddenAllocations, .noBlocks, .lawlessTail,
      .notMeasured, .failed:
      false
    default: !code.doesNotApply
    }
  }

  public let code: Code
  public let detail: String

  public init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  /// The reason that an error of an analyzer stands for.
  public init(_ error: any Error) {
    switch error {
    case let undefined as Undefined: self = undefined
    case let failure as Unmeasurable:
      // `UndefinedTests` checks that every cause has a code of its name.
      self.init(Code(rawValue: failure.cause.rawValue) ?? .failed, failure.description)
    default: self.init(.failed, "\(error)")
    }
  }

  public var doesNotApply: Bool { code.doesNotApply }
  public var description: String { detail }

  package static let probe = Undefined(.noVoice, "a probe has no voice")
  package static let noStems = Undefined(
    .noStems, "the subject gives a mix only, in which this can't be told voice by voice")
  package static let noStereo = Undefined(.noStereo, "the subject is judged in mono")
  package static let noVibrato = Undefined(.noVibrato, "no note has a vibrato on both sides")
  package static let noWords = Undefined(
    .noWords, "the recording has no words, or none that its annotations tell of")
  package static let impulses = Undefined(
    .soundsOnly, "impulses are measured by latency.impulse")
  package static let carefulCostOnly = Undefined(
    .notRequested, "measured only where a plan says cost: careful")
  package static let hiddenAllocations = Undefined(
    .hiddenAllocations, "a sanitizer has its own allocator")
}
