import Dispatch
import Foundation

extension Sequence where Element: Hashable {
  /// Returns each element once, in order of first appearance.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// Returns the elements with equal keys together, in order of first appearance.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var (groups, places): ([[Element]], [Key: Int]) = ([], [:])
    for element in self {
      let key = key(element)
      let place = places[key] ?? groups.count
      if place == groups.count {
        groups.append([])
        places[key] = place
      }
      groups[place].append(element)
    }
    return groups
  }

  /// Returns the elements by a key; the first of several with the same one.
  package func keyed<Key: Hashable>(by key: (Element) -> Key) -> [Key: Element] {
    Dictionary(map { (key($0), $0) }) { first, _ in first }
  }
}

extension Array where Element: Sendable {
  /// Maps the elements on all cores; the results keep the order of the elements.
  package func concurrentMap<Made: Sendable>(_ make: @Sendable (Element) -> Made) -> [Made] {
    [Made](unsafeUninitializedCapacity: count) { buffer, made in
      nonisolated(unsafe) let places = buffer.baseAddress
      DispatchQueue.concurrentPerform(iterations: count) { index in
        (places! + index).initialize(to: make(self[index]))
      }
      made = count
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that belongs to the second part, or the end, if all that
  /// belong to it are behind all others.
  package func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array where Element: Sendable {
  /// Maps several elements at a time, each in a task of its own; the results keep the order of the
  /// elements.
  ///
  /// - Parameter jobs: number of tasks at a time.
  /// - Throws: the error of the first element that fails. No further task starts then.
  package func concurrentMap<Made: Sendable, Failure: Error>(
    jobs: Int, _ make: @escaping @Sendable (Element) async throws(Failure) -> Made
  ) async throws(Failure) -> [Made] {
    let results = await withTaskGroup(of: (Int, Result<Made, Failure>).self) { group in
      var results = [Result<Made, Failure>?](repeating: nil, count: count)
      var next = 0
      func start() {
        guard next < count else { return }
        let (index, element) = (next, self[next])
        next += 1
        group.addTask {
          do throws(Failure) { return (index, .success(try await make(element))) } catch {
            return (index, .failure(error))
          }
        }
      }
      for _ in 0..<Swift.max(1, jobs) { start() }
      for await (index, result) in group {
        results[index] = result
        if case .failure = result { next = count }
        start()
      }
      return results.compactMap(\.self)
    }
    var made: [Made] = []
    for result in results { made.append(try result.get()) }
    return made
  }
}

extension [Float] {
  /// The samples as 32-bit floats in this machine's byte order.
  package var data: Data { withUnsafeBytes { Data($0) } }

  /// Reads 32-bit floats in this machine's byte order; ignores spare bytes at the end.
  package init(data: Data) {
    let count = data.count / 4
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: 4 * count)
      initialized = count
    }
  }
}
