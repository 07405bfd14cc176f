/// The messages of a live host, in the machine's byte order.
///
/// Each request has a header and, to process sound, one float for each frame. The host replies to each,
/// and once at the start, with a header and the interleaved output.
public enum HostMessage {
  /// More outputs than any plugin has; ambisonics of the seventh order has 64.
  public static let maxChannelCount = 1024

  public enum Request: UInt32 { case process, reset }

  public struct RequestHeader: BitwiseCopyable {
    public var request: UInt32
    public var frameCount: UInt32

    public init(_ request: Request, frameCount: Int) {
      (self.request, self.frameCount) = (request.rawValue, UInt32(frameCount))
    }
  }

  public struct ReplyHeader: BitwiseCopyable {
    public var cpuSeconds: Double
    public var wallSeconds: Double
    public var allocations: UInt32
    public var frameCount: UInt32
    public var channelCount: UInt32
    /// -1 if the plugin has no port for its latency.
    public var latencySamples: Int32

    public init(_ work: BlockWork, frameCount: Int, channelCount: Int, latencySamples: Int?) {
      (cpuSeconds, wallSeconds) = (work.cpuSeconds, work.wallSeconds)
      allocations = UInt32(clamping: work.allocations)
      (self.frameCount, self.channelCount) = (UInt32(frameCount), UInt32(channelCount))
      self.latencySamples = Int32(clamping: latencySamples ?? -1)
    }

    /// True if the numbers are those of a plugin that plays: at least one channel, finite times.
    public var isWithinBounds: Bool {
      1...HostMessage.maxChannelCount ~= Int(channelCount)
        && [cpuSeconds, wallSeconds].allSatisfy { $0.isFinite && $0 >= 0 }
    }
  }
}
