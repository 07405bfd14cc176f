/// The work of a plugin, measured in the host's process without the way there.
public struct BlockWork: Codable, Equatable, Sendable {
  /// Processor time of the audio thread.
  public var cpuSeconds = 0.0
  public var wallSeconds = 0.0
  /// Allocations, releases and locks on the audio thread.
  public var allocations = 0

  public init() {}

  public static func += (sum: inout BlockWork, one: BlockWork) {
    sum.cpuSeconds += one.cpuSeconds
    sum.wallSeconds += one.wallSeconds
    sum.allocations += one.allocations
  }
}

/// The result of a rendering beside its sound.
public struct HostReport: Codable, Equatable, Sendable {
  /// Latency that the plugin stated after the last block; `nil` if it has no port for it.
  public var latencySamples: Int?
  public var channelCount: Int
  public var work: BlockWork

  public init(latencySamples: Int?, channelCount: Int, work: BlockWork) {
    (self.latencySamples, self.channelCount, self.work) = (latencySamples, channelCount, work)
  }
}
