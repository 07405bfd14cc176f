import Foundation
import Synchronization

/// Results computed from sounds. The latest ones are kept, because many analyses of one sound begin
/// with the same filter.
///
/// A sound is recognized by its samples, so a result never belongs to another sound. Threads that ask
/// for the same result at once may each compute it. A sound with samples that are not numbers is
/// computed anew each time.
///
/// - Memory: the sounds that are kept and their results; per processor at most 3 million samples of
///   sound.
package final class SoundMemo<Key: Hashable & Sendable, Result: Sendable>: Sendable {
  private struct Entry: Sendable {
    let key: Key
    let sound: Signal
    let mark: UInt32
    let result: Result

    func isOf(_ sound: Signal, _ key: Key, mark: UInt32) -> Bool {
      self.mark == mark && self.key == key && self.sound == sound
    }
  }

  /// Entries in order of their last use, the latest first.
  private let entries = Mutex<[Entry]>([])
  private let mostSamples: Int

  package init(
    mostSamples: Int = 3_000_000 * ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.mostSamples = mostSamples
  }

  /// Returns the result for a sound and a parameter, computed by `compute` if it is not kept.
  package func callAsFunction(
    _ sound: Signal, _ key: Key, _ compute: (Signal) -> Result
  ) -> Result {
    let known = entries.withLock { $0 }
    let mark = Self.mark(of: sound)
    if let place = known.firstIndex(where: { $0.isOf(sound, key, mark: mark) }) {
      if place > 0 { keep(known[place]) }
      return known[place].result
    }
    let result = compute(sound)
    keep(Entry(key: key, sound: sound, mark: mark, result: result))
    return result
  }

  /// Returns a number that equal sounds share and most others don't, from samples spread over them.
  /// Many sounds begin with the same silence, which would be compared sample by sample.
  private static func mark(of sound: Signal) -> UInt32 {
    let step = max(1, sound.count / 61)
    return stride(from: 0, to: sound.count, by: step).reduce(UInt32(0)) { mark, place in
      // Adding 0 turns -0 into 0, which is equal but has other bits.
      mark &* 31 &+ (sound.samples[place] + 0).bitPattern
    }
  }

  /// Puts an entry first, and drops the oldest beyond the limit.
  private func keep(_ entry: Entry) {
    guard entry.sound.count <= mostSamples else { return }
    entries.withLock { entries in
      entries.removeAll { $0.isOf(entry.sound, entry.key, mark: entry.mark) }
      entries.insert(entry, at: 0)
      var total = 0
      entries = Array(
        entries.prefix { entry in
          total += entry.sound.count
          return total <= mostSamples
        })
    }
  }
}
