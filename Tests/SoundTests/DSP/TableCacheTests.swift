import DSP
import Testing

@Suite struct TableCacheTests {
  @Test func aTableIsMadeOnceUntilThereAreTooMany() {
    let cache = TableCache<Int, Int>(limit: 2)
    var made: [Int] = []
    func table(_ key: Int) -> Int {
      cache(key) {
        made.append(key)
        return 10 * key
      }
    }
    #expect([1, 2, 1, 2].map(table) == [10, 20, 10, 20])
    #expect(made == [1, 2])
    // A third table drops both, so that the first is made again.
    #expect([3, 1].map(table) == [30, 10])
    #expect(made == [1, 2, 3, 1])
  }
}
