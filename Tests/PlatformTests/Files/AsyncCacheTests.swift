import Testing

@testable import Platform

@Suite struct AsyncCacheTests {
  /// Returns the cached number of a name, otherwise `new`.
  private func take(_ id: String, _ new: Int, from cache: AsyncCache<Int>) async throws -> Int {
    try await cache.value(id) { new }
  }

  @Test func theValueThatWasAskedForLongestAgoIsDropped() async throws {
    let cache = AsyncCache<Int>(capacity: 2)
    var found: [Int] = []
    for (id, new) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("a", 5), ("b", 6)] {
      found.append(try await take(id, new, from: cache))
    }
    // All requests for a find what the first made; c took the place of b.
    #expect(found == [1, 2, 1, 4, 1, 6])
  }
}
