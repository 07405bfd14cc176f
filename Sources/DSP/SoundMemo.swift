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
    let result: Result
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
    if let place = known.firstIndex(where: { $0.key == key && $0.sound == sound }) {
      if place > 0 { keep(known[place]) }
      return known[place].result
    }
    let result = compute(sound)
    keep(Entry(key: key, sound: sound, result: result))
    return result
  }

  /// Puts an entry first, and drops the oldest beyond the limit.
  private func keep(_ entry: Entry) {
    guard entry.sound.count <= mostSamples else { return }
    entries.withLock { entries in
      entries.removeAll { $0.key == entry.key && $0.sound == entry.sound }
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
