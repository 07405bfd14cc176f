import Foundation
import HostProtocol

/// A plugin that is loaded in this process, with its buffers connected.
protocol RunningPlugin: AnyObject {
  var buffers: PortBuffers { get }
  /// Latency stated by the plugin; `nil` if it states none.
  var latencySamples: Int? { get }
  /// True if every block must have the same number of frames.
  var needsFullBlocks: Bool { get }
  /// True if the plugin knows that blocks have one length, and takes others. The last block of a
  /// rendering is filled up for it; live, blocks have the length that was asked for.
  var expectsFullBlocks: Bool { get }
  /// The value of a control; `nil` if it was never set.
  func value(of control: String) -> Double?
  /// True if controls turn at a frame within a block, false if between two blocks.
  var takesTimedValues: Bool { get }
  /// Sets a control.
  ///
  /// - Parameter frame: the frame of the next block at which it turns.
  func set(_ control: String, to value: Double, at frame: Int) throws
  /// Returns what the plugin saves beside the values of its controls; `nil` if that is nothing.
  func savedState() throws -> Data?
  /// Restores what the plugin saved; false if it refuses.
  func restore(_ state: Data) throws -> Bool
  func activate() throws
  func deactivate() throws
  /// Passes on the events of the next block, whose frames count from its start.
  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int)
  /// Runs a block.
  func run(_ frameCount: Int)
  /// Does what the plugin asked for during the block and must not do itself.
  func finishBlock() throws
}

extension RunningPlugin {
  var latencySamples: Int? { buffers.latencySamples }
  var needsFullBlocks: Bool { false }
  var expectsFullBlocks: Bool { false }
  func value(of control: String) -> Double? { buffers.value(of: control) }
  var takesTimedValues: Bool { false }
  func set(_ control: String, to value: Double, at frame: Int) throws {
    buffers.set(control, to: Float(value))
  }
  func savedState() throws -> Data? { nil }
  func restore(_ state: Data) throws -> Bool { false }
  func activate() {}
  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int) {}
  func finishBlock() {}
}

/// The buffers of a plugin's ports.
struct PortBuffers {
  let plugin: PluginDescription
  let blockSize: Int
  /// Inputs that receive the voice.
  private(set) var inputs: [GuardedBuffer] = []
  private(set) var outputs: [GuardedBuffer] = []
  /// Controls, and buffers whose content does not matter, but must stay within its bounds.
  private(set) var others: [GuardedBuffer] = []
  private var latency: GuardedBuffer?

  init(_ plugin: PluginDescription, blockSize: Int) {
    (self.plugin, self.blockSize) = (plugin, blockSize)
  }

  var all: [GuardedBuffer] { inputs + outputs + others }

  /// Makes the buffer of a port; a control has its default.
  mutating func add(_ port: PluginDescription.Port) -> GuardedBuffer {
    let isControl = port.kind == .control || port.kind == .meter
    let buffer = GuardedBuffer(port.symbol, count: isControl ? 1 : blockSize)
    switch port.kind {
    case .audioInput where !port.isSidechain: inputs.append(buffer)
    case .audioOutput: outputs.append(buffer)
    default: others.append(buffer)
    }
    if isControl { buffer.samples[0] = Float(port.preset ?? port.minimum ?? 0) }
    if port.isLatency { latency = buffer }
    return buffer
  }

  var latencySamples: Int? { latency.flatMap { Int(exactly: $0.samples[0].rounded()) } }

  func value(of control: String) -> Double? { buffer(of: control).map { Double($0.samples[0]) } }

  /// - Parameter isBounded: true to keep a value from a file within the port's range.
  func set(_ control: String, to value: Float, isBounded: Bool = false) {
    let port = isBounded ? plugin.control(control) : nil
    let (low, high) = (port?.minimum.map { Float($0) }, port?.maximum.map { Float($0) })
    place(of: control)?.pointee = min(max(value, low ?? value), high ?? .infinity)
  }

  /// Returns the memory of a control's value.
  func place(of control: String) -> UnsafeMutablePointer<Float>? {
    buffer(of: control)?.samples.baseAddress
  }

  private func buffer(of control: String) -> GuardedBuffer? {
    let symbol = plugin.control(control)?.symbol ?? control
    return others.first { $0.symbol == symbol }
  }
}

extension Float {
  /// 0.1 for the float nearest to it; `nil` for a bound that is infinite or no number.
  var exact: Double? { isFinite ? Double("\(self)") : nil }
}

/// A plugin that can't be used, or that broke a rule of its format.
struct PluginFault: Error, CustomStringConvertible {
  var description: String
}

/// Samples that a plugin reads or writes, between guards that tell if it wrote beside them.
final class GuardedBuffer {
  let symbol: String
  let samples: UnsafeMutableBufferPointer<Float>
  private let all: UnsafeMutableBufferPointer<Float>

  private static let guardCount = 64
  /// A quiet NaN that no computation makes.
  private static let pattern: UInt32 = 0x7fc0_5afe

  init(_ symbol: String, count: Int) {
    self.symbol = symbol
    all = .allocate(capacity: count + 2 * Self.guardCount)
    all.initialize(repeating: Float(bitPattern: Self.pattern))
    samples = .init(rebasing: all[Self.guardCount..<Self.guardCount + count])
    samples.update(repeating: 0)
  }

  deinit { all.deallocate() }

  /// The first sample beside the buffer that changed, counted from the buffer's start.
  var firstOverrun: Int? {
    let places =
      Array(-Self.guardCount..<0) + Array(samples.count..<samples.count + Self.guardCount)
    return places.first { all[$0 + Self.guardCount].bitPattern != Self.pattern }
  }

  /// True if no guard changed; costs less than finding where.
  var isIntact: Bool {
    (0..<Self.guardCount).allSatisfy {
      all[$0].bitPattern == Self.pattern && all[all.count - 1 - $0].bitPattern == Self.pattern
    }
  }
}
