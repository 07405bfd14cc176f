import Analyzer
import Foundation
import Platform
import Testing

@testable import Metrics

/// Every error of an analyzer or a timing has a code, and the code tells whether any subject could
/// have had a value. The table is written out, so that neither changes unnoticed.
@Suite struct UndefinedTests {
  /// The reason is the recording's: no subject could have a value.
  private static let ofTheRecording: [(any Error, Undefined.Code)] = [
    (EventDelay.Failure.noEvents, .noOnset),
    (ContourLag.Failure.flat, .flatContour),
    (ImpulseDelay.Failure.noImpulses, .noImpulses),
    (ArtefactFailure.noOnset, .noOnset),
    (ArtefactFailure.notLoud(neededSeconds: 1), .tooQuiet),
  ]

  /// A value was possible, or the measurement itself gave none.
  private static let ofTheOutput: [(any Error, Undefined.Code)] = [
    (OnsetDelay.Failure.silent, .silent),
    (OnsetDelay.Failure.uncorrelated(0.1), .uncorrelated),
    (OnsetDelay.Failure.atEdge(500), .uncorrelated),
    (SoundLatency.Failure.silent, .silent),
    (SoundLatency.Failure.uncorrelated("no onset"), .uncorrelated),
    (SoundLatency.Failure.uncertain(deviationMs: 2), .uncertain),
    (SoundLatency.Failure.methodsDiffer(ms: 1, otherMs: 4), .methodsDiffer),
    (ContourLag.Failure.tooShort(seconds: 0.1), .tooLittleVoice),
    (ContourLag.Failure.uncertain(lagMs: 5, deviationMs: 2), .uncertain),
    (ContourLag.Failure.atEdge(ms: 60), .outOfRange),
    (WaveformDelay.Failure.silent, .silent),
    (WaveformDelay.Failure.notFinite, .notFinite),
    (WaveformDelay.Failure.uncorrelated(0.1), .uncorrelated),
    (EventDelay.Failure.silent, .silent),
    (EventDelay.Failure.lost(3, of: 4), .lostOnsets),
    (ImpulseDelay.Failure.noneCameOut, .lostImpulses),
    (FormantRatio.Failure.tooFewFrames(2, least: 10), .tooLittleVoice),
    (FormantRatio.Failure.unlike(0.1), .differentShapes),
    (Intelligibility.Failure.ratesDiffer(outputHz: 44_100, referenceHz: 48_000), .ratesDiffer),
    (Intelligibility.Failure.rateNotWhole(hz: 44_100.5), .unsuitableRate),
    (Intelligibility.Failure.lengthsDiffer(output: 1, reference: 2), .lengthsDiffer),
    (Intelligibility.Failure.notFinite(.output, sample: 0), .notFinite),
    (Intelligibility.Failure.silent(.output), .silent),
    (Intelligibility.Failure.tooShort(frames: 3), .tooLittleSound),
    (ArtefactFailure.empty, .empty),
    (ArtefactFailure.silent, .silent),
    (ArtefactFailure.notFinite(sample: 0), .notFinite),
    (ArtefactFailure.tooShort(seconds: 0.1, neededSeconds: 1), .tooLittleSound),
    (ArtefactFailure.ratesDiffer(outputHz: 44_100, referenceHz: 48_000), .ratesDiffer),
    (ArtefactFailure.rateTooLow(hz: 8000, leastHz: 16_000), .unsuitableRate),
    (ArtefactFailure.outOfRange("too far"), .outOfRange),
    (ArtefactFailure.nothingToHear("no vowel"), .nothingToMeasure),
    (SoundPair.Failure.ratesDiffer(referenceHz: 44_100, testHz: 48_000), .ratesDiffer),
    (SoundPair.Failure.empty("test"), .empty),
    (CellCost.Gap.noBlocks("far away"), .noBlocks),
    (CellCost.Gap.noMemory("a sanitizer"), .hiddenAllocations),
    (CellCost.Gap.noTail(Cause(CocoaError(.fileNoSuchFile))), .lawlessTail),
    (CellCost.Gap.lawlessTail, .lawlessTail),
    (CellCost.Gap.noQuantile, .lawlessTail),
  ]

  @Test func everyCauseHasItsCode() {
    for (table, doesNotApply) in [(Self.ofTheRecording, true), (Self.ofTheOutput, false)] {
      for (cause, code) in table {
        let undefined = Undefined(cause)
        #expect(undefined.code == code, "\(type(of: cause)).\(cause)")
        #expect(undefined.doesNotApply == doesNotApply, "\(type(of: cause)).\(cause)")
        #expect(undefined.detail == "\(cause)")
      }
    }
  }

  @Test func anUndefinedKeepsItsCodeAndOtherErrorsAreFailures() {
    let own = Undefined(.noVibrato, "no note has a vibrato")
    #expect(Undefined(own as any Error) == own)
    let other = Undefined(CocoaError(.fileNoSuchFile))
    #expect(other.code == .failed && !other.doesNotApply)
  }
}
