import Foundation

/// The messages of a live host, in the machine's byte order.
///
/// Each request has a header and, to process sound, one float for each frame. The host replies to each,
/// and once at the start, with a header and the interleaved output.
public enum HostMessage {
  /// More outputs than any plugin has; ambisonics of the seventh order has 64.
  public static let maxChannelCount = 1024

  /// `save` writes a `HostState` beside the session's file; `restore` reads it from there, and writes
  /// what became of it.
  public enum Request: UInt32 { case process, reset, save, restore }

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
    /// Memory that the process has allocated and not freed; 0 with a block, which counting would slow.
    public var heapBytes: UInt64 = 0

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

/// The plugin that a host runs, and how.
public struct HostSession: Codable, Equatable, Sendable {
  public var plugin: PluginAddress
  public var sampleRateHz: Double
  /// Frames of a block: the most that the plugin gets at once.
  public var blockSize: Int
  /// Values of controls by symbol; the others keep their defaults or those of the preset.
  public var controls: [String: Double] = [:]
  /// URI of a preset.
  public var preset: String?
  /// MIDI messages in the order of their times.
  public var events: [Event] = []
  /// Later values of controls in the order of their times.
  public var changes: [Change] = []

  public init(plugin: PluginAddress, sampleRateHz: Double, blockSize: Int) {
    (self.plugin, self.sampleRateHz, self.blockSize) = (plugin, sampleRateHz, blockSize)
  }

  public struct Event: Codable, Equatable, Sendable {
    /// Frames since the start.
    public var frame: Int
    public var bytes: [UInt8]

    public init(frame: Int, bytes: [UInt8]) { (self.frame, self.bytes) = (frame, bytes) }
  }

  /// A control that turns to a value: of CLAP at a frame, of other formats before the first block that
  /// begins at the frame or later.
  public struct Change: Codable, Equatable, Sendable {
    /// Frames since the start.
    public var frame: Int
    public var control: String
    public var value: Double

    public init(frame: Int, control: String, value: Double) {
      (self.frame, self.control, self.value) = (frame, control, value)
    }
  }
}

/// The settings of a running plugin.
public struct HostState: Codable, Equatable, Sendable {
  /// The plugin's own state; `nil` if it or its format has none.
  public var state: Data?
  /// Values of all controls by symbol.
  public var values: [String: Double] = [:]
  /// False if the plugin refused the state that was to be restored.
  public var isAccepted = true

  public init(state: Data?) { self.state = state }

  /// Returns the file that belongs to the file of a session.
  public static func file(of session: URL) -> URL { session.appendingPathExtension("state") }
}

/// Exit codes of the host besides 0.
public enum HostExit {
  /// The plugin can't be used, or broke a rule of its format: standard error has a sentence.
  public static let refused: Int32 = 2
}

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
