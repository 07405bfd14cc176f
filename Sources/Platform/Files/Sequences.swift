import Dispatch
import Foundation

extension Sequence where Element: Hashable {
  /// Returns each element once, in order of first appearance.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
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
