import AllocationProbe
import Foundation
import Glibc
import HostProtocol

/// Plays a voice through a plugin, block by block, and measures the plugin's work.
final class PluginPlayer {
  private let plugin: any RunningPlugin
  private let session: HostSession
  private var played = 0
  private var turned = 0
  /// Values at the start of the controls that turned.
  private var initial: [String: Double] = [:]
  private var now = 0

  private var blockSize: Int { session.blockSize }

  var channelCount: Int { plugin.buffers.outputs.count }
  var latencySamples: Int? { plugin.latencySamples }

  /// Loads and activates the plugin of a session.
  init(_ session: HostSession) throws {
    (plugin, self.session) = (try PluginLoader.running(session), session)
    try plugin.activate()
  }

  /// Returns the plugin to its state after the start, as a host does that stops and plays again.
  func reset() throws {
    try plugin.deactivate()
    try plugin.activate()
    for (control, value) in initial { try plugin.set(control, to: value, at: 0) }
    (played, turned, now) = (0, 0, 0)
  }

  func close() throws { try plugin.deactivate() }

  /// Returns the plugin's state and the values of its controls.
  func state() throws -> HostState {
    var state = HostState(state: try plugin.savedState())
    for port in plugin.buffers.plugin.ports(.control) {
      // JSON has no numbers without a value.
      state.values[port.symbol] = plugin.value(of: port.symbol).flatMap { $0.isFinite ? $0 : nil }
    }
    return state
  }

  /// Restores a state between two blocks.
  ///
  /// - Returns: false if the plugin refuses it.
  func restore(_ state: Data) throws -> Bool { try plugin.restore(state) }

  /// Plays the floats of one channel and writes those of all outputs.
  func render(from source: Channel, to target: Channel) throws -> HostReport {
    let bytes = source.readAll()
    let count = bytes.count / MemoryLayout<Float>.size
    var input = [Float](repeating: 0, count: count)
    input.withUnsafeMutableBytes { $0.copyBytes(from: bytes.prefix($0.count)) }
    var output = [Float](repeating: 0, count: count * channelCount)
    let work = try input.withUnsafeBufferPointer { input in
      try output.withUnsafeMutableBufferPointer { try play(input, into: $0, isWhole: true) }
    }
    let report = HostReport(latencySamples: latencySamples, channelCount: channelCount, work: work)
    try output.withUnsafeBytes { try target.write($0) }
    try close()
    return report
  }

  /// Plays sound.
  ///
  /// - Parameters:
  ///   - output: receives a frame of all channels for each input sample.
  ///   - isWhole: true if nothing follows, so that the last block may be filled up with silence.
  /// - Throws: if the plugin writes beside a buffer.
  func play(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    isWhole: Bool = false
  ) throws -> BlockWork {
    let isFilled = plugin.needsFullBlocks || isWhole && plugin.expectsFullBlocks
    var work = BlockWork()
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let count = min(blockSize, input.count - start)
      work += try playBlock(
        UnsafeBufferPointer(rebasing: input[start..<start + count]), isFilled: isFilled)
      for (channel, buffer) in plugin.buffers.outputs.enumerated() {
        for i in 0..<count { output[(start + i) * channelCount + channel] = buffer.samples[i] }
      }
    }
    return work
  }

  /// - Parameter isFilled: true to fill a short block up with silence.
  private func playBlock(_ input: UnsafeBufferPointer<Float>, isFilled: Bool) throws -> BlockWork {
    let count = isFilled ? blockSize : input.count
    for buffer in plugin.buffers.inputs {
      for i in 0..<input.count { buffer.samples[i] = input[i] }
      for i in input.count..<max(input.count, count) { buffer.samples[i] = 0 }
    }
    let end = plugin.takesTimedValues ? now + count : now + 1
    while turned < session.changes.count, session.changes[turned].frame < end {
      let change = session.changes[turned]
      if initial[change.control] == nil {
        initial[change.control] = plugin.value(of: change.control)
      }
      try plugin.set(change.control, to: change.value, at: max(0, change.frame - now))
      turned += 1
    }
    let events = session.events
    let next = events[played...].firstIndex { $0.frame >= now + count } ?? events.count
    plugin.prepare(events[played..<next], from: now)
    let (wall, cpu) = (Clock.seconds(CLOCK_MONOTONIC), Clock.seconds(CLOCK_THREAD_CPUTIME_ID))
    allocation_probe_start()
    plugin.run(count)
    let allocations = allocation_probe_stop()
    var work = BlockWork()
    work.cpuSeconds = Clock.seconds(CLOCK_THREAD_CPUTIME_ID) - cpu
    work.wallSeconds = Clock.seconds(CLOCK_MONOTONIC) - wall
    work.allocations = allocations
    try plugin.finishBlock()
    (played, now) = (next, now + count)
    for buffer in plugin.buffers.all where !buffer.isIntact {
      let place = buffer.firstOverrun ?? 0
      throw PluginFault(
        description:
          "out of bounds: wrote at sample \(place) of port '\(buffer.symbol)', which has "
          + "\(buffer.samples.count); its sound can't be trusted, so report this to its maker")
    }
    return work
  }
}

enum Clock {
  /// Returns the time of a clock of the system, such as `CLOCK_MONOTONIC`.
  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
