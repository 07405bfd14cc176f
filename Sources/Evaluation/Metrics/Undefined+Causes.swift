import Analyzer

// The codes of what analyzers and timings can't measure.

extension OnsetDelay.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .silent: .silent
    case .uncorrelated, .atEdge: .uncorrelated
    case .ambiguous: .ambiguousDelay
    case .changes: .changingDelay
    }
  }
}

extension SoundLatency.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .silent: .silent
    case .uncorrelated: .uncorrelated
    case .uncertain: .uncertain
    case .methodsDiffer: .methodsDiffer
    }
  }
}

extension ContourLag.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .tooShort: .tooLittleVoice
    case .flat: .flatContour
    case .uncertain: .uncertain
    case .atEdge: .outOfRange
    case .ambiguous: .ambiguousDelay
    }
  }
}

extension WaveformDelay.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .silent: .silent
    case .notFinite: .notFinite
    case .uncorrelated: .uncorrelated
    }
  }
}

extension EventDelay.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .silent: .silent
    case .noEvents: .noOnset
    case .lost: .lostOnsets
    }
  }
}

extension ImpulseDelay.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .noImpulses: .noImpulses
    case .noneCameOut: .lostImpulses
    }
  }
}

extension FormantRatio.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .tooFewFrames: .tooLittleVoice
    case .unlike: .differentShapes
    }
  }
}

extension Intelligibility.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .ratesDiffer: .ratesDiffer
    case .rateNotWhole: .unsuitableRate
    case .lengthsDiffer: .lengthsDiffer
    case .notFinite: .notFinite
    case .silent: .silent
    case .tooShort: .tooLittleSound
    }
  }
}

extension ArtefactFailure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .empty: .empty
    case .silent: .silent
    case .notFinite: .notFinite
    case .tooShort: .tooLittleSound
    case .ratesDiffer: .ratesDiffer
    case .rateTooLow: .unsuitableRate
    case .outOfRange: .outOfRange
    case .noOnset: .noOnset
    case .notLoud: .tooQuiet
    case .nothingToHear: .nothingToMeasure
    }
  }
}

extension SoundPair.Failure: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .ratesDiffer: .ratesDiffer
    case .empty: .empty
    }
  }
}

extension CellCost.Gap: UndefinedCause {
  var code: Undefined.Code {
    switch self {
    case .noBlocks: .noBlocks
    case .noTail, .lawlessTail, .noQuantile: .lawlessTail
    case .noMemory: .hiddenAllocations
    }
  }
}
