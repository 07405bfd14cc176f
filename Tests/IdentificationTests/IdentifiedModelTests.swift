import Foundation
import Testing

@testable import DSP
@testable import Identification
@testable import Subjects

/// Toys whose law is known by construction.
@Suite struct IdentifiedModelTests {
  @Test func aPureDelayIsIdentified() throws {
    let toy = LateToy(fixedMs: 12.5, startSeconds: 0.01, perSecond: 0.2)
    let model = IdentifiedModel(of: try ProbeBench(toy))
    let delay = try model.delay.known()
    #expect(abs(delay.delayMs(noteHz: 300, semitones: 0, blockSize: 128) - 12.5) < 0.1)
    #expect(abs(delay.inputPeriods) < 0.05)
    #expect(delay.largestResidualMs < 0.1)
    #expect(delay.blocks == nil)
    for tone in model.tones {
      // The tracker reads a steady tone within a fiftieth of a cent.
      #expect(abs(try tone.errorCents.known()) < 0.05)
      #expect(try tone.swingCents.known() < 0.1)
      #expect(try tone.levelSwingDb.known() < 0.05)
      // Silence moves from the end to the beginning.
      #expect(abs(tone.gainDb) < 0.05)
    }
    let following = try model.following.known()
    #expect(abs(following.stepDelayMs - 12.5) < 0.5)
    #expect(following.overshootCents < 1)
    #expect(abs(try #require(following.vibratoGain) - 1) < 0.02)
    let cost = try model.cost.known()
    #expect(abs(cost.startSeconds - 0.01) < 1e-9)
    #expect(abs(cost.perSecond - 0.2) < 1e-9)
    #expect(cost.perVoice == nil)
    #expect(abs(cost.realtimeFactor(seconds: 5, voices: 1, blockSize: 128) - 0.202) < 1e-9)
    let band = try model.band.known()
    #expect(band.reachesLowest && band.reachesHighest)
    // Nothing shifts the pitch, so nothing can move the formants.
    #expect(model.formants.reason?.code == .notRequested)
    // Three tones, the steps, the swing, a second of the phrase and the band.
    #expect(abs(model.soundSeconds - (3 * 3.2 + 3 + 6.5 + 1 + 6.2)) < 0.01)
  }

  @Test func aDelayOfPeriodsIsTold() throws {
    let model = IdentifiedModel(of: try ProbeBench(LateToy(fixedMs: 3, periods: 1.5)))
    let delay = try model.delay.known()
    #expect(abs(delay.fixedMs - 3) < 0.15)
    #expect(abs(delay.inputPeriods - 1.5) < 0.03)
  }

  /// The toy is silent above 500 Hz; the notes sung next to that are 440 and 554 Hz.
  @Test func theEndOfTheBandIsFound() throws {
    let bench = try ProbeBench(LateToy(highestHz: 500))
    let band = try WorkingBand(bench, delayMs: 0)
    #expect(try #require(band.highestHz) == 440)
    #expect(!band.reachesHighest)
    #expect(band.reachesLowest)
  }

  @Test(arguments: [(0.0, FormantBehaviour.Kind.kept), (0.5, .partly), (1, .moved)])
  func formantsAreKeptOrMoved(share: Double, kind: FormantBehaviour.Kind) throws {
    let found = try FormantBehaviour(try ProbeBench(FormantToy(movedShare: share)))
    // Half a semitone in seven: the harmonics of the shifted vowel sample its envelope elsewhere.
    #expect(abs(found.movedShare - share) < 0.07, "\(found)")
    #expect(found.kind == kind)
  }

  @Test func aSubjectThatRefusesHasReasonsAndNoNumbers() throws {
    let model = IdentifiedModel(of: try ProbeBench(RefusingToy()))
    #expect(model.tones.isEmpty)
    for reason in [
      model.delay.reason, model.following.reason, model.formants.reason, model.band.reason,
    ] {
      #expect(reason?.detail == "is out of order")
    }
    #expect(model.cost.reason?.code == .notTimed)
  }

  @Test func aModelSurvivesItsFile() throws {
    let model = IdentifiedModel(of: try ProbeBench(RefusingToy()))
    let data = try JSONEncoder().encode(model)
    #expect(try JSONDecoder().decode(IdentifiedModel.self, from: data) == model)
  }
}
