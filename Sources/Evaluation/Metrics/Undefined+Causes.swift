import Analyzer

// The codes of what analyzers and timings can't measure.

extension Unmeasurable: UndefinedCause {
  // `UndefinedTests` checks that every cause has a code of its name.
  var code: Undefined.Code { Undefined.Code(rawValue: cause.rawValue) ?? .failed }
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
