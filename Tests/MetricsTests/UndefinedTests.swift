import Analyzer
import Foundation
import Platform
import Testing

@testable import Metrics

/// Every error of an analyzer or a timing has a code, and the code tells whether any subject could
/// have had a value. The table is written out, so that neither changes unnoticed.
@Suite struct UndefinedTests {
  /// The reason is the recording's: no subject could have a value.
  private static let ofTheRecording: [Unmeasurable.Cause] = [
    .noOnset, .flatContour, .noImpulses, .tooQuiet, .noVibrato,
  ]

  /// A value was possible, or the measurement itself gave none.
  private static let ofTheOutput: [(any Error, Undefined.Code)] = [
    (SoundPair.Failure.ratesDiffer(referenceHz: 44_100, testHz: 48_000), .ratesDiffer),
    (SoundPair.Failure.empty("test"), .empty),
    (CellCost.Gap.noBlocks("far away"), .noBlocks),
    (CellCost.Gap.noMemory("a sanitizer"), .hiddenAllocations),
  ]

  @Test func everyCauseHasItsCode() {
    for cause in Unmeasurable.Cause.allCases {
      let undefined = Undefined(Unmeasurable(cause, "no \(cause)"))
      #expect(undefined.code.rawValue == cause.rawValue && undefined.detail == "no \(cause)")
      #expect(undefined.doesNotApply == Self.ofTheRecording.contains(cause), "\(cause)")
    }
    for (cause, code) in Self.ofTheOutput {
      let undefined = Undefined(cause)
      #expect(undefined.code == code, "\(type(of: cause)).\(cause)")
      #expect(!undefined.doesNotApply, "\(type(of: cause)).\(cause)")
      #expect(undefined.detail == "\(cause)")
    }
  }

  @Test func anUndefinedKeepsItsCodeAndOtherErrorsAreFailures() {
    let own = Undefined(.noVibrato, "no note has a vibrato")
    #expect(Undefined(own as any Error) == own)
    let other = Undefined(CocoaError(.fileNoSuchFile))
    #expect(other.code == .failed && !other.doesNotApply)
  }
}
