import Synchronization

/// The hatch between the audio thread and the one that controls it: a message goes in, another comes
/// out. Neither side waits for the other, and nothing is released on the audio thread.
///
/// One thread at a time controls, one at a time makes sound.
final class LockFreeMailbox: @unchecked Sendable {
  /// Messages that the other thread may still hold; they are owned here, where control is.
  private var owned: [MailboxMessage] = []
  /// At most one.
  private let waiting = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Those done with, each pointing to the one before.
  private let used = Atomic<UnsafeMutableRawPointer?>(nil)

  // MARK: Where control is

  /// Owns a message until it is given back.
  func keep(_ message: MailboxMessage) { owned.append(message) }

  /// Lays a message into the hatch, which must be empty: `retract` first.
  func post(_ message: MailboxMessage) {
    keep(message)
    let before = waiting.exchange(
      Unmanaged.passUnretained(message).toOpaque(), ordering: .acquiringAndReleasing)
    precondition(before == nil, "one message at a time")
  }

  /// Takes back what was posted last, if the audio thread hasn't taken it.
  func retract() -> MailboxMessage? {
    waiting.exchange(nil, ordering: .acquiringAndReleasing).map { release($0) }
  }

  /// Releases what the audio thread is done with.
  func collect() {
    var place = used.exchange(nil, ordering: .acquiringAndReleasing)
    while let here = place {
      let message = release(here)
      place = message.rest
      message.rest = nil
    }
  }

  /// Returns a message and no longer owns it.
  private func release(_ place: UnsafeMutableRawPointer) -> MailboxMessage {
    let message = Unmanaged<MailboxMessage>.fromOpaque(place).takeUnretainedValue()
    owned.removeAll { $0 === message }
    return message
  }

  // MARK: Where sound is

  /// What was posted; to be given back.
  func take() -> Unmanaged<MailboxMessage>? {
    guard waiting.load(ordering: .relaxed) != nil else { return nil }
    return waiting.exchange(nil, ordering: .acquiringAndReleasing)
      .map { Unmanaged<MailboxMessage>.fromOpaque($0) }
  }

  func giveBack(_ message: Unmanaged<MailboxMessage>) {
    let here = message.toOpaque()
    var before = used.load(ordering: .relaxed)
    while true {
      message._withUnsafeGuaranteedRef { $0.rest = before }
      let (exchanged, found) = used.compareExchange(
        expected: before, desired: here, ordering: .acquiringAndReleasing)
      if exchanged { return }
      before = found
    }
  }
}
