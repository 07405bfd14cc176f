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

  /// A control that turns to a value before the first block that begins at a frame or later.
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

/// Exit codes of the host besides 0.
public enum HostExit {
  /// The plugin can't be used, or broke a rule of its format: standard error has a sentence.
  public static let refused: Int32 = 2
}
