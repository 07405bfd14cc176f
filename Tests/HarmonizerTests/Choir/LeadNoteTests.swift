import Testing

@testable import Harmonizer

@Suite struct LeadNoteTests {
  /// With 30 cents of hysteresis the lead leaves C for C# at 60.8, and comes back at 60.2.
  @Test func leavesANoteBeyondTheMiddleOnly() {
    var lead = LeadNote(hysteresisCents: 30)
    let sung: [(Double?, Int?)] = [
      (nil, nil), (60.1, 60), (60.6, 60), (60.79, 60), (60.81, 61), (60.4, 61), (60.21, 61),
      (nil, 61), (60.19, 60), (72, 72),
    ]
    for (pitch, key) in sung {
      lead.next(pitch, in: .chromatic)
      #expect(lead.key == key)
    }
  }

  /// A vibrato of 70 cents about the middle between E and F crosses it twelve times a second; the
  /// tone changes once at most. Without hysteresis it changes each time.
  @Test(arguments: [(30.0, 0...1), (0.0, 22...24)])
  func aVibratoAcrossTheMiddleDoesNotFlutter(hysteresis: Double, changes: ClosedRange<Int>) {
    var lead = LeadNote(hysteresisCents: hysteresis)
    let cMajor = ToneSet([0, 2, 4, 5, 7, 9, 11])
    var keys: [Int] = []
    for step in 0..<2000 {
      lead.next(64.5 + 0.25 * sineOf(turns: 6 * Double(step) / 1000 + 0.1), in: cMajor)
      keys.append(lead.key!)
    }
    #expect(changes.contains(zip(keys, keys.dropFirst()).count { $0 != $1 }))
  }

  /// When the key changes under it, the lead takes the nearest of its tones.
  @Test func aToneThatIsNoLongerOfTheKeyIsLeft() {
    var lead = LeadNote(hysteresisCents: 50)
    lead.next(61, in: .chromatic)
    lead.next(61.2, in: ToneSet([0, 2, 4, 5, 7, 9, 11]))
    #expect(lead.key == 62)
  }
}
