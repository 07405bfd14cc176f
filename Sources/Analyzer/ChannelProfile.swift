import DSP

/// The level and the faults of one channel of a recording.
public struct ChannelProfile: Codable, Sendable {
  public var level: Level?
  public var defects: SignalDefects?
  /// `nil` if the channel is silent or otherwise not measurable.
  public var clicks: [Clicks.Click]?

  /// - Parameter level: level of the channel, as measured.
  public init(of sound: some SoundSource, level: Level?, withFaults: Bool) throws {
    self.level = level
    guard withFaults else { return }
    defects = try SignalDefects(of: sound)
    do { clicks = try Clicks(of: sound).clicks } catch is ArtefactFailure { clicks = nil }
  }
}
