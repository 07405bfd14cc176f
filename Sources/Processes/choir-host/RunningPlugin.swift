import HostProtocol

/// A plugin that is loaded in this process, with its buffers connected.
protocol RunningPlugin: AnyObject {
  /// Inputs that hear the voice.
  var inputs: [GuardedBuffer] { get }
  var outputs: [GuardedBuffer] { get }
  /// Buffers whose content does not matter, but must stay within its bounds.
  var others: [GuardedBuffer] { get }
  /// Latency stated by its port; `nil` without such a port.
  var latencySamples: Int? { get }
  /// True if every block must have the same number of frames.
  var needsFullBlocks: Bool { get }
  /// True if the plugin hears that blocks have one length, and takes others. The last block of a
  /// rendering is filled up for it; live, blocks have the length that was asked for.
  var expectsFullBlocks: Bool { get }
  /// The value of a control; `nil` if it was never set.
  func value(of control: String) -> Double?
  /// Turns a control between two blocks.
  func set(_ control: String, to value: Double) throws
  func activate()
  func deactivate() throws
  /// Gives the plugin the events of the next block, whose frames count from its start.
  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int)
  /// Runs a block.
  func run(_ frameCount: Int)
  /// Does what the plugin asked for during the block and must not do itself.
  func finishBlock()
}

extension RunningPlugin {
  var expectsFullBlocks: Bool { false }
}

/// A plugin that can't be used, or that broke a rule of its format.
struct PluginFault: Error, CustomStringConvertible {
  var description: String
}
