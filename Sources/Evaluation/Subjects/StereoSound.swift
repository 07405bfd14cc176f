import DSP

/// A sound of two channels of one length and rate.
public struct StereoSound: Equatable, Sendable {
  public var left: Signal
  public var right: Signal

  public init(left: Signal, right: Signal) {
    precondition(
      left.count == right.count && left.sampleRateHz == right.sampleRateHz, "channels differ")
    (self.left, self.right) = (left, right)
  }

  /// The output of a mono loudspeaker: the mean of both channels.
  public var mono: Signal {
    Signal(
      zip(left.samples, right.samples).map { 0.5 * ($0 + $1) }, sampleRateHz: left.sampleRateHz)
  }
}
