/// What one thread hands to the audio thread. Made and released off it.
open class MailboxMessage {
  /// The one below it in a heap of parcels.
  var rest: UnsafeMutableRawPointer?

  public init() {}

  /// On the audio thread: what it is there for, unless it is a unit to be heard.
  open func apply(to unit: StereoUnit) {}
}

/// Something that changes sound of two channels and can take another's place while sound runs.
open class StereoUnit: MailboxMessage {
  /// Delay of what it means to pass.
  open var latencySamples: Int { 0 }
  /// How long it still sounds after its input has ended, beyond the latency.
  open var tailSamples: Int { 0 }
  /// Forgets the past.
  open func reset() {}
  /// In place; both have the same count, at most `CrossfadingSlot.longestStretch`. Never allocates,
  /// locks or throws.
  open func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {}
}
