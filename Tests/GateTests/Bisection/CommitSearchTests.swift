import Testing

@testable import Gate

@Suite struct CommitSearchTests {
  /// Searches for the first bad of `count` commits; returns the suspects and the number of tests.
  private func search(
    _ count: Int, firstBad: Int, untestable: Set<Int> = []
  ) -> (suspects: ClosedRange<Int>, tests: Int) {
    var search = CommitSearch(count: count)
    var tests = 0
    while let next = search.next {
      tests += 1
      if untestable.contains(next) {
        search.skip(next)
      } else {
        search.note(next, isBad: next >= firstBad)
      }
    }
    return (search.suspects, tests)
  }

  @Test(arguments: [(1, 0), (2, 1), (3, 2), (10, 4), (63, 6), (64, 6), (65, 7), (1000, 10)])
  func everyFirstBadCommitIsFoundInTheBinaryLogarithm(count: Int, most: Int) {
    for firstBad in 0..<count {
      let found = search(count, firstBad: firstBad)
      #expect(found.suspects == firstBad...firstBad)
      #expect(found.tests <= most)
    }
  }

  @Test func untestableCommitsAreWalkedAround() {
    // Only the neighbours of the first bad commit matter.
    #expect(search(20, firstBad: 13, untestable: [3, 9, 10]).suspects == 13...13)
    #expect(search(20, firstBad: 13, untestable: [11, 12, 13]).suspects == 11...14)
    #expect(search(4, firstBad: 1, untestable: [0, 1, 2]).suspects == 0...3)
  }
}

@Suite struct SequentialTestTests {
  /// One value of a deterministic subject decides, up to a third of the step away.
  @Test(arguments: [
    (0.0, SequentialTest.Verdict?.some(.good)), (0.3, .some(.good)), (0.4, nil), (0.6, nil),
    (0.7, .some(.bad)), (1, .some(.bad)), (9, .some(.bad)), (-9, .some(.good)),
  ])
  func oneClearValueDecides(place: Double, verdict: SequentialTest.Verdict?) {
    var test = SequentialTest()
    test.note(5 - 2 * place, good: 5, bad: 3, deviation: 0)
    #expect(test.verdict == verdict)
  }

  /// Values that spread as much as the step need several observations.
  @Test func noiseNeedsMoreObservations() {
    var test = SequentialTest()
    test.note(1, good: 0, bad: 1, deviation: 1)
    #expect(test.verdict == nil && test.likelier == .bad)
    // Each adds half: ln 1000 = 6.9 needs 14.
    for _ in 0..<12 { test.note(1, good: 0, bad: 1, deviation: 1) }
    #expect(test.verdict == nil)
    test.note(1, good: 0, bad: 1, deviation: 1)
    #expect(test.verdict == .bad)
  }

  @Test func valuesThatTellNothingChangeNothing() {
    var test = SequentialTest()
    test.note(.nan, good: 0, bad: 1, deviation: 0)
    test.note(1, good: 1, bad: 1, deviation: 0)
    #expect(test.logRatio == 0 && test.count == 0)
  }
}
