import AllocationProbe
import CJACK
import Foundation
import Synchronization

/// The part of a client that the server's threads call.
final class JackCallback: @unchecked Sendable {
  let client: OpaquePointer
  let inputs: UnsafeMutablePointer<OpaquePointer>
  let outputs: UnsafeMutablePointer<OpaquePointer>
  let midiInput: OpaquePointer?
  let midiOutput: OpaquePointer?
  var processor = JackProcessor()
  let isGone = Atomic(false)
  let xruns = Atomic(0)
  let allocations = Atomic(0)
  let blocks = Atomic(0)
  let lateBlocks = Atomic(0)
  /// The largest share of a block's duration, in millionths.
  let maxShare = Atomic(0)
  private let secondsPerFrame: Double

  init(
    _ client: OpaquePointer, _ inputs: [OpaquePointer], _ outputs: [OpaquePointer],
    _ midiInput: OpaquePointer?, _ midiOutput: OpaquePointer?
  ) {
    func copied(_ ports: [OpaquePointer]) -> UnsafeMutablePointer<OpaquePointer> {
      let copy = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: max(1, ports.count))
      for (index, port) in ports.enumerated() { (copy + index).initialize(to: port) }
      return copy
    }
    self.client = client
    (self.inputs, self.outputs) = (copied(inputs), copied(outputs))
    (self.midiInput, self.midiOutput) = (midiInput, midiOutput)
    secondsPerFrame = 1 / Double(jack_get_sample_rate(client))
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
  }

  func samples(_ port: OpaquePointer, _ count: Int) -> UnsafeMutableBufferPointer<Float> {
    let buffer = jack_port_get_buffer(port, jack_nframes_t(count))
    return UnsafeMutableBufferPointer(
      start: buffer?.assumingMemoryBound(to: Float.self), count: buffer == nil ? 0 : count)
  }

  func run(_ count: Int) {
    let (before, workBefore) = (
      Self.seconds(CLOCK_MONOTONIC), Self.seconds(CLOCK_THREAD_CPUTIME_ID)
    )
    let start = jack_last_frame_time(client)
    allocation_probe_start()
    processor.process(JackBlock(count: count, startFrame: start, callback: .passUnretained(self)))
    let counted = allocation_probe_stop()
    if counted > 0 { allocations.add(counted, ordering: .relaxed) }
    blocks.add(1, ordering: .relaxed)
    guard count > 0 else { return }
    let duration = Double(count) * secondsPerFrame
    let work = Self.seconds(CLOCK_THREAD_CPUTIME_ID) - workBefore
    if work > duration { lateBlocks.add(1, ordering: .relaxed) }
    let share = Int((Self.seconds(CLOCK_MONOTONIC) - before) / duration * 1e6)
    if share > maxShare.load(ordering: .relaxed) { maxShare.store(share, ordering: .relaxed) }
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

func processBlock(_ count: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.run(Int(count)) }
  return 0
}

func noteXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef {
    _ = $0.xruns.add(1, ordering: .relaxed)
  }
  return 0
}

func noteShutdown(
  _ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  Unmanaged<JackCallback>.fromOpaque(context!)._withUnsafeGuaranteedRef {
    $0.isGone.store(true, ordering: .releasing)
  }
}
