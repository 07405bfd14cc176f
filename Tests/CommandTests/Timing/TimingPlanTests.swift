import Effects
import Testing

@testable import choir

@Suite struct TimingPlanTests {
  @Test func theFullPlanHasAllSetsOfUpToThreeEffects() {
    // 20 effects: 1 + 20 + 190 + 1140.
    #expect(TimingPlan.subsets(upTo: 3).count == 1351)
    #expect(Set(TimingPlan.subsets(upTo: 3).map(\.description)).count == 1351)
    let full = TimingPlan(isFull: true)
    #expect(full.groups.count == 16)  // four processes, a live voice and three keys
    #expect(full.groups.allSatisfy { $0.chains.count > 1351 })
  }

  /// Any two effects are together in a larger set.
  @Test func largerSetsCoverPairs() {
    let sets = TimingPlan.covering(strength: 2).map { Set($0.links.map(\.effect)) }
    #expect(sets.allSatisfy { $0.count > 2 })
    for a in EffectCatalog.names {
      for b in EffectCatalog.names where a < b {
        #expect(sets.contains { $0.contains(a) && $0.contains(b) }, "\(a) and \(b)")
      }
    }
  }

  @Test func aRowAddsUpItsParts() throws {
    let run = try TimingRun(TimingPlan(isFull: false))
    var count = 0
    let rows = try run.rows { _ in count += 1 }
    #expect(rows.count == run.plan.rowCount && count == rows.count)
    let limiter = try #require(rows.first { $0.effects == "limiter" })
    // A limiter states its look-ahead, and the waveform is as late, within a sample (0.02 ms).
    #expect(abs((limiter.delayMs ?? 0) - limiter.reportedMs) < 0.02)
    #expect(rows[0].delayMs.map { abs($0) < 0.01 } == true)
    let most = try #require(rows.map(\.realtimeFactor).max())
    let row = try #require(rows.first { $0.realtimeFactor == most })
    let words = Timing.minimumRequirements(rows)
    #expect(words.contains("\(row.process.rawValue), \(row.source), \(row.effects)"), "\(words)")
    #expect(try run.exportFactors().map(\.format.rawValue) == ["wav", "flac", "mp3"])
    #expect(try run.exportFactors().allSatisfy { $0.factor > 0 })
  }
}
