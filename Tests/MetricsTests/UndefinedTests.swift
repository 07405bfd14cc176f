import Analyzer
import Foundation
import Testing

@testable import Metrics

/// Every error of an analyzer has a code, and the code tells whether any subject could have had a
/// value. The table is written out, so that neither changes unnoticed.
@Suite struct UndefinedTests {
  /// The reason is the recording's: no subject could have a value.
  private static let ofTheRecording: [Unmeasurable.Cause] = [
    .noOnset, .flatContour, .noImpulses, .tooQuiet, .noVibrato,
  ]

  @Test func everyCauseHasItsCode() {
    for cause in Unmeasurable.Cause.allCases {
      let undefined = Undefined(Unmeasurable(cause, "no \(cause)"))
      #expect(undefined.code.rawValue == cause.rawValue && undefined.detail == "no \(cause)")
      #expect(undefined.doesNotApply == Self.ofTheRecording.contains(cause), "\(cause)")
    }
  }

  @Test func anUndefinedKeepsItsCodeAndOtherErrorsAreFailures() {
    let own = Undefined(.noVibrato, "no note has a vibrato")
    #expect(Undefined(own as any Error) == own)
    let other = Undefined(CocoaError(.fileNoSuchFile))
    #expect(other.code == .failed && !other.doesNotApply)
  }
}
