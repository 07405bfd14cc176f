import Statistics
import Testing

@Suite struct CorrelationTests {
  @Test func equalValuesShareTheirRank() {
    #expect(Statistics.ranks([10, 20, 20, 5]) == [2, 3.5, 3.5, 1])
    #expect(Statistics.ranks([]) == [])
  }

  /// scipy.stats.pearsonr and spearmanr of the same lists, with ties.
  @Test func correlationsAgreeWithSciPy() throws {
    let (a, b) = ([3.0, 1, 4, 1, 5, 9, 2, 6], [2.0, 7, 1, 8, 2, 8, 1, 8])
    #expect(abs(try #require(Statistics.pearson(a, b)) - 0.2096553190730121) < 1e-12)
    #expect(abs(try #require(Statistics.spearman(a, b)) - 0.19885368120992467) < 1e-12)
    #expect(Statistics.pearson([1, 1, 1], [1, 2, 3]) == nil && Statistics.spearman([], []) == nil)
  }
}
