import Testing

@testable import Tuning

@Suite struct SuccessiveHalvingTests {
  /// 13 settings on 18 slices are 234 cells, a quarter of which is 58. By hand: 58 / 4 = 14 allows
  /// 13 × 1; 45 / 3 = 15 allows 7 × 2; 31 / 2 = 15 allows 4 × 3; 19 allows 2 × 9.
  @Test func roundsKeepWithinTheShare() {
    let halving = SuccessiveHalving(settings: 13, slices: 18, share: 0.25)
    #expect(halving.rounds.map(\.settings) == [13, 7, 4, 2])
    #expect(halving.rounds.map(\.slices) == [1, 3, 6, 15])
    #expect(halving.cells == 13 + 14 + 12 + 18 && halving.gridCells == 234)
  }

  @Test(arguments: [(1, 1), (2, 5), (100, 40), (3, 1000), (64, 2)], [0.1, 0.25, 1.0])
  func onlyTheFirstRoundMayExceedTheShare(_ size: (Int, Int), share: Double) {
    let (settings, slices) = size
    let halving = SuccessiveHalving(
      settings: settings, slices: slices, cellsPerSlice: 3, share: share)
    #expect(halving.cells <= max(Int(share * Double(halving.gridCells)), 3 * settings))
    #expect(halving.rounds.allSatisfy { $0.slices >= 1 && $0.slices <= slices })
    #expect(halving.rounds.reduce(0) { $0 + $1.newCells } == halving.cells)
  }

  /// Setting i has a true value of i, and each slice errs by less than half a step. The best
  /// setting is found, and the rounds of the dropped ones follow.
  @Test func theBestIsFound() async throws {
    let halving = SuccessiveHalving(settings: 13, slices: 18, share: 0.25)
    let (left, dropped) = await halving.search { alive, round in
      alive.sorted { a, b in
        func heard(_ setting: Int) -> Double {
          Double(setting) + 0.4 * Double((setting * 7 + round.slices * 5) % 11) / 11
        }
        return heard(a) < heard(b)
      }
    }
    #expect(left == [0, 1])
    #expect(
      dropped == [
        7: 0, 8: 0, 9: 0, 10: 0, 11: 0, 12: 0, 4: 1, 5: 1, 6: 1, 2: 2, 3: 2,
      ])
  }

  @Test func oneSettingIsTheAnswer() async throws {
    let (left, dropped) = await SuccessiveHalving(settings: 1, slices: 4, share: 1)
      .search { alive, _ in alive }
    #expect(left == [0] && dropped.isEmpty)
  }
}
