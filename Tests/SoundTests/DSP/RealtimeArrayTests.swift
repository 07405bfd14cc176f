import DSP
import Testing

@Suite struct RealtimeArrayTests {
  @Test func elementsAreKeptAndChangedInPlace() {
    var array = RealtimeArray([3, 1, 4, 1, 5])
    #expect(array.count == 5)
    array[2] += 10
    #expect(array[2] == 14)
    #expect(array[unchecked: 4] == 5)
    array.fill(with: 7)
    #expect((0..<5).allSatisfy { array[$0] == 7 })
    array.clear()
    #expect((0..<5).allSatisfy { array[$0] == 0 })
  }

  @Test func eightSamplesInARow() {
    var array = RealtimeArray((0..<20).map(Float.init))
    #expect(array[eightAt: 12] == SIMD8(12, 13, 14, 15, 16, 17, 18, 19))
    #expect(array[uncheckedFourAt: 3] == SIMD4(3, 4, 5, 6))
    array[eightAt: 1] = SIMD8(repeating: -1)
    #expect(array[0] == 0)
    #expect(array[1] == -1)
    #expect(array[8] == -1)
    #expect(array[9] == 9)
  }

  @Test func spansSeeTheElements() {
    var array = RealtimeArray<Float>(count: 4)
    var prefix = array.mutablePrefix(2)
    #expect(prefix.count == 2)
    prefix[1] = 5
    #expect(array[1] == 5)
    let whole = array.span
    #expect(whole.count == 4)
    #expect(whole[1] == 5)
  }

  @Test(arguments: [-1, 4])
  func indexOutOfBoundsTraps(index: Int) async {
    await #expect(processExitsWith: .failure) { [index] in
      let array = RealtimeArray<Float>(count: 4)
      print(array[index])
    }
  }

  @Test func eightBeyondTheEndTrap() async {
    await #expect(processExitsWith: .failure) {
      let array = RealtimeArray<Float>(count: 10)
      print(array[eightAt: 3])
    }
  }

  /// An element that counts how many of its kind there are.
  private struct Counted: ~Copyable {
    let tally: Tally
    init(_ tally: Tally) {
      self.tally = tally
      tally.alive += 1
    }
    deinit { tally.alive -= 1 }
  }

  private final class Tally { var alive = 0 }
  private struct Refused: Error {}

  @Test func elementsThatCannotBeCopiedEndWithTheArray() {
    let tally = Tally()
    do {
      let array = RealtimeArray(count: 3) { _ in Counted(tally) }
      #expect(array.count == 3)
      #expect(tally.alive == 3)
    }
    #expect(tally.alive == 0)
  }

  @Test func aFailureEndsTheElementsMadeBeforeIt() {
    let tally = Tally()
    #expect(throws: Refused.self) {
      _ = try RealtimeArray(count: 3) { index throws(Refused) in
        if index == 2 { throw Refused() }
        return Counted(tally)
      }
    }
    #expect(tally.alive == 0)
  }
}
