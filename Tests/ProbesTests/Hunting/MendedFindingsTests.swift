import Foundation
import Subjects
import TestSupport
import Testing

@testable import Probes

/// Faults of the reference engines that hunts found and that are mended.
@Suite struct MendedFindingsTests {
  /// A whole vowel was 38 cents flat: the lock on the period stayed at a cycle of the second formant
  /// beside it. Praat heard the same. The last bits of the input decided, so it is this very sound, as far as
  /// processors of the machine's kind give the same bits.
  @Test func aFormantDoesNotHoldTheLock() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      recipe: 1
      subject: psola
      settings: {}
      fault: mistuned
      sound: {note: 55.5, vowel: i, interval: 6}
      found: {amount: 35.224, severity: 3.522, atSeconds: 0.62, words: the voice is 35 cents too low for 400 ms}
      input: f05cd5507bb22b0be95613b15140b99c148df49db2c2501a9a0a056084f6b7c7
      output: 9e420e7c5a03b865d86dd20230226cb0103d05a871353157af3f75c82ffaae5e
      """, to: "recipe.yaml")
    let psola = try Subjects.subject(id: "psola")
    let replay = try HuntReplay(HuntRecipe(reading: file), by: psola)
    try #require(replay.isSameInput, "another sound tells nothing: hunt for one that did it")
    #expect(replay.now == nil)
  }
}
