import Synchronization
import Testing

@testable import DSP

@Suite struct SoundMemoTests {
  /// A memo of sums times a factor, which counts how often it computes.
  private final class Sums: Sendable {
    private let memo: SoundMemo<Float, Float>
    private let count = Mutex(0)

    init(mostSamples: Int = 1000) { memo = SoundMemo(mostSamples: mostSamples) }

    var computed: Int { count.withLock { $0 } }

    func callAsFunction(_ samples: [Float], times factor: Float = 1, rateHz: Double = 8000) -> Float
    {
      memo(Signal(samples, sampleRateHz: rateHz), factor) { sound in
        count.withLock { $0 += 1 }
        return factor * sound.samples.reduce(0, +)
      }
    }
  }

  @Test func equalSoundsAreComputedOnce() {
    let sums = Sums()
    #expect(sums([1, 2]) == 3)
    #expect(sums([1] + [2]) == 3)
    #expect(sums.computed == 1)
  }

  /// One sample in three marks the sound, so only the comparison tells these apart.
  @Test func soundsThatDifferBetweenTheMarksAreToldApart() {
    let sums = Sums()
    let zeros = [Float](repeating: 0, count: 200)
    var other = zeros
    other[1] = 1
    #expect(sums(zeros) == 0)
    #expect(sums(other) == 1)
    #expect(sums.computed == 2)
  }

  @Test func bothZerosAreEqual() {
    let sums = Sums()
    _ = (sums([0, 1]), sums([-0.0, 1]))
    #expect(sums.computed == 1)
  }

  @Test func anotherSoundRateOrParameterIsComputedAnew() {
    let sums = Sums()
    _ = sums([1, 2])
    #expect(sums([1, 3]) == 4)
    #expect(sums([1, 2, 0]) == 3)
    #expect(sums([1, 2], times: 2) == 6)
    #expect(sums([1, 2], rateHz: 16_000) == 3)
    #expect(sums.computed == 5)
    #expect(sums([1, 2], times: 2) == 6)
    #expect(sums.computed == 5)
  }

  @Test func theSoundThatWasUsedLongestAgoIsDropped() {
    let sums = Sums(mostSamples: 4)
    _ = (sums([1, 2]), sums([3, 4]), sums([1, 2]))
    #expect(sums.computed == 2)
    _ = sums([5, 6])  // in place of 3, 4
    _ = sums([1, 2])
    #expect(sums.computed == 3)
    _ = sums([3, 4])
    #expect(sums.computed == 4)
  }

  @Test func aSoundBeyondTheLimitIsNotKept() {
    let sums = Sums(mostSamples: 2)
    _ = (sums([1, 2]), sums([1, 2, 3]), sums([1, 2]))
    #expect(sums.computed == 2)
    _ = sums([1, 2, 3])
    #expect(sums.computed == 3)
  }
}
