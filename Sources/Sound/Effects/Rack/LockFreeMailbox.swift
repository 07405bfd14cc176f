import Synchronization

/// A mailbox between the audio and the control thread: messages go one way and come back when used.
/// Neither side waits for the other, and nothing is released on the audio thread.
///
/// One thread at a time controls, one at a time processes audio.
final class LockFreeMailbox: @unchecked Sendable {
  /// Messages that the audio thread may still hold; owned by the control thread.
  private var owned: [MailboxMessage] = []
  /// The message to be received, at most one.
  private let waiting = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The stack of used messages, each pointing to the one before.
  private let used = Atomic<UnsafeMutableRawPointer?>(nil)

  // MARK: Control thread

  /// Owns a message until it is returned.
  func keep(_ message: MailboxMessage) { owned.append(message) }

  /// Posts a message; none may be waiting: call `retract` first.
  func post(_ message: MailboxMessage) {
    keep(message)
    let before = waiting.exchange(
      Unmanaged.passUnretained(message).toOpaque(), ordering: .acquiringAndReleasing)
    precondition(before == nil, "one message at a time")
  }

  /// Withdraws the message posted last, if the audio thread hasn't received it.
  func retract() -> MailboxMessage? {
    waiting.exchange(nil, ordering: .acquiringAndReleasing).map { release($0) }
  }

  /// Releases messages that the audio thread has returned.
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

  // MARK: Audio thread

  /// Receives the posted message, which must be returned.
  func receive() -> Unmanaged<MailboxMessage>? {
    guard waiting.load(ordering: .relaxed) != nil else { return nil }
    return waiting.exchange(nil, ordering: .acquiringAndReleasing)
      .map { Unmanaged<MailboxMessage>.fromOpaque($0) }
  }

  func returnUsed(_ message: Unmanaged<MailboxMessage>) {
    let here = message.toOpaque()
    var before = used.load(ordering: .relaxed)
    while true {
      message._withUnsafeGuaranteedRef { $0.rest = before }
      let (exchanged, current) = used.compareExchange(
        expected: before, desired: here, ordering: .acquiringAndReleasing)
      if exchanged { return }
      before = current
    }
  }
}

/// A message from a control thread to the audio thread; it is made and released on the former.
open class MailboxMessage {
  /// The message below it in the mailbox's stack.
  var rest: UnsafeMutableRawPointer?

  public init() {}

  /// Applies the message on the audio thread; a unit, which is a message itself, does nothing here.
  open func apply(to unit: StereoUnit) {}
}
