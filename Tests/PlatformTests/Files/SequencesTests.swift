import Foundation
import Testing

@testable import Platform

@Suite struct SequencesTests {
  @Test func uniquedKeepsTheFirstOfEach() {
    #expect([3, 1, 3, 2, 1].uniqued() == [3, 1, 2])
    #expect([Int]().uniqued() == [])
  }

  @Test func concurrentMapKeepsTheOrder() {
    let squares: [Int] = Array(0..<1000).concurrentMap { (n: Int) -> Int in n * n }
    #expect(squares == (0..<1000).map { (n: Int) -> Int in n * n })
    #expect([Int]().concurrentMap { $0 }.isEmpty)
  }

  /// 1 is 0x3F800000 and -2 is 0xC0000000 in IEEE 754.
  @Test func samplesAreStoredAsFloats() {
    let bytes = Data([0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
    #expect([Float]([1, -2]).data == bytes)
    #expect([Float](data: bytes + Data([7, 7])) == [1, -2])
  }
}
