/// A message from a control thread to the audio thread; it is made and released on the former.
open class MailboxMessage {
  /// The message below it in the mailbox's stack.
  var rest: UnsafeMutableRawPointer?

  public init() {}

  /// Applies the message on the audio thread; a unit, which is a message itself, does nothing here.
  open func apply(to unit: StereoUnit) {}
}

/// A stereo processor that can replace another while sound runs.
open class StereoUnit: MailboxMessage {
  /// The delay of the direct sound.
  open var latencySamples: Int { 0 }
  /// The time that it sounds after its input has ended, beyond the latency.
  open var tailSamples: Int { 0 }
  /// Clears the past.
  open func reset() {}
  /// Processes in place; both channels have the same count, at most
  /// `CrossfadingSlot.longestStretch`. Never allocates, locks or throws.
  open func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {}
}
