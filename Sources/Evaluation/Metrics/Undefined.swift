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
    case noConsonantNoise, noVibrato, noOnset, pitchTooHigh, pitchTooLow
    case tooQuiet, tooShort, noWords, flatContour, notValid, excludedByProgram
    // The subject has nothing of the kind, which is no fault.
    case noEcho, noStatedDelay, noStems, stemsGiven, noStereo, delayGiven
    // No law predicts a value.
    case noLaw

    // A value was possible.
    case tooLittleVoice, tooFewNotes, tooFewOnsets, tooLittleSound, unclearSteps, unresolved
    case differentShapes, uncorrelated, ambiguousDelay, changingDelay, methodsDiffer, uncertain,
      lostOnsets, lostImpulses,
      noPeriod, noHarmonics, silent
    case empty, notFinite, ratesDiffer, unsuitableRate, lengthsDiffer, nothingToMeasure, outOfRange,
      undefinedByProgram
    // The way it was measured gives none.
    case notRequested, notTimed, notObservable, hiddenAllocations, noBlocks
    /// Reason of a metric that is gone; stored runs have it.
    case lawlessTail
    case notMeasured, failed

    /// The codes above whose gap no subject could have filled.
    private static let inapplicable = Set(allCases.prefix { $0 != .tooLittleVoice })

    fileprivate static let unmeasured = Set(allCases.drop { $0 != .notRequested })

    /// True if no subject could have a value: the recording or the score leaves nothing to measure.
    public var doesNotApply: Bool { Self.inapplicable.contains(self) }
  }

  /// True if the sound was measured and could have had a value, but had none.
  public var isOfSound: Bool { !code.doesNotApply && !Code.unmeasured.contains(code) }

  public let code: Code
  public let detail: String

  public init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  /// The reason that an error of an analyzer or of a timing stands for.
  public init(_ error: any Error) {
    self = error as? Undefined ?? Undefined(Code(of: error) ?? .failed, "\(error)")
  }

  /// Returns what `measure` returns, or the reason that its error stands for.
  static func caught<Value>(_ measure: () throws -> Value) -> Result<Value, Undefined> {
    do { return .success(try measure()) } catch { return .failure(Undefined(error)) }
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
  package static let impulses = Undefined(.soundsOnly, "impulses are measured by latency.impulse")
  package static let carefulCostOnly = Undefined(
    .notRequested, "measured only where a plan says cost: careful")
  package static let hiddenAllocations = Undefined(
    .hiddenAllocations, "a sanitizer has its own allocator")
}

extension Undefined.Code {
  /// The code of what an analyzer or a timing can't measure; `nil` for any other error.
  fileprivate init?(of error: any Error) {
    switch error {
    // `UndefinedTests` checks that every cause has a code of its name.
    case let error as Unmeasurable: self.init(rawValue: error.cause.rawValue)
    case SoundPair.Failure.ratesDiffer: self = .ratesDiffer
    case SoundPair.Failure.empty: self = .empty
    case CellCost.Gap.noBlocks: self = .noBlocks
    case CellCost.Gap.noMemory: self = .hiddenAllocations
    default: return nil
    }
  }
}
