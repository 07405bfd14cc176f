import Foundation
import Singer
import Testing

@testable import Analyzer

/// Compares the streaming with the offline tracker on sung phrases of known pitch.
@Suite struct StreamingSongbookTests {
  @Test(arguments: ["spoken-pop-soprano", "leaps-mezzo", "runs-12-soprano"])
  func fifteenMillisecondsOfLookAheadAreNearlyEnough(id: String) throws {
    var performance = try Songbook.performance(id: id)
    performance.notes = performance.notes.filter { $0.endSeconds < 3 }
    performance.phones = performance.phones.filter { $0.startSeconds + $0.durationSeconds < 3 }
    let sung = try performance.render()
    var settings = StreamingPitchTracker.Settings()
    settings.lookAheadMs = 15
    let live = try StreamingPitchTracker.track(of: sung.signal, settings)
    let offline = try PitchTracker().track(sung.signal)
    // The requirement is 1 % over many phrases. One phrase of 3 s has 600 frames; those at the ends of its
    // notes may differ, and 12 notes a second have many ends: one frame in every three notes.
    let isNear = accuracy(live, sung.truth) > accuracy(offline, sung.truth) - 0.025
    if id == "runs-12-soprano" {
      withKnownIssue("only the offline tracker hears the note after the end") { #expect(isNear) }
    } else {
      #expect(isNear)
    }
    // Leaps spoil the frames around each for both; those are less than one in ten.
    #expect(accuracy(live, sung.truth) > 0.9)
  }

  /// The overall accuracy: the share of frames within 50 cents, or rightly without pitch.
  private func accuracy(_ track: PitchTrack, _ truth: Truth) -> Double {
    var (right, all) = (0, 0)
    for frame in 0..<track.count {
      let sample = Int((Double(frame) * track.hopSeconds * truth.sampleRateHz).rounded())
      guard sample < truth.f0Hz.count else { continue }
      all += 1
      let (found, known) = (track.f0Hz[frame], truth.f0Hz[sample])
      let isRight = known > 0 && found > 0 ? abs(cents(found, over: known)) < 50 : known == found
      if isRight { right += 1 }
    }
    return Double(right) / Double(max(all, 1))
  }
}
