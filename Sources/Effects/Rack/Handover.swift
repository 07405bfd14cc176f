import Synchronization

/// The hatch between the audio thread and the one that controls it: a parcel goes in, another comes
/// out. Neither side waits for the other, and nothing is released on the audio thread.
///
/// One thread at a time controls, one at a time makes sound.
final class Handover: @unchecked Sendable {
  /// At most one; it is owned by whoever took it out.
  private let waiting = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Those done with, each pointing to the one before.
  private let used = Atomic<UnsafeMutableRawPointer?>(nil)

  deinit {
    _ = retract()
    collect()
  }

  // MARK: Where control is

  /// Lays a parcel into the hatch, which must be empty: `retract` first.
  func post(_ parcel: Parcel) {
    let before = waiting.exchange(
      Unmanaged.passRetained(parcel).toOpaque(), ordering: .acquiringAndReleasing)
    precondition(before == nil, "one parcel at a time")
  }

  /// Takes back what was posted last, if the audio thread hasn't taken it.
  func retract() -> Parcel? {
    waiting.exchange(nil, ordering: .acquiringAndReleasing)
      .map { Unmanaged<Parcel>.fromOpaque($0).takeRetainedValue() }
  }

  /// Releases what the audio thread is done with.
  func collect() {
    var place = used.exchange(nil, ordering: .acquiringAndReleasing)
    while let here = place {
      let parcel = Unmanaged<Parcel>.fromOpaque(here).takeRetainedValue()
      place = parcel.rest
      parcel.rest = nil
    }
  }

  // MARK: Where sound is

  /// What was posted; to be given back.
  func take() -> Unmanaged<Parcel>? {
    guard waiting.load(ordering: .relaxed) != nil else { return nil }
    return waiting.exchange(nil, ordering: .acquiringAndReleasing)
      .map { Unmanaged<Parcel>.fromOpaque($0) }
  }

  func giveBack(_ parcel: Unmanaged<Parcel>) {
    let here = parcel.toOpaque()
    var before = used.load(ordering: .relaxed)
    while true {
      parcel._withUnsafeGuaranteedRef { $0.rest = before }
      let (exchanged, found) = used.compareExchange(
        expected: before, desired: here, ordering: .acquiringAndReleasing)
      if exchanged { return }
      before = found
    }
  }
}
