import CPluginHost

/// Work that a plugin must not do on the audio thread.
///
/// It is done after the block in which the plugin asks for it, and the plugin has the answer before the
/// next one: so the same sound comes out at every run.
final class LV2Worker {
  private var requests: [[UInt8]] = []
  private var responses: [[UInt8]] = []

  func schedule(_ data: UnsafeRawBufferPointer) { requests.append(Array(data)) }
  private func respond(_ data: UnsafeRawBufferPointer) { responses.append(Array(data)) }

  /// Does the work of a block.
  func finish(_ plugin: LV2_Handle, _ interface: UnsafePointer<LV2_Worker_Interface>) {
    let (work, answer) = (interface.pointee.work, interface.pointee.work_response)
    while !requests.isEmpty {
      let request = requests.removeFirst()
      _ = request.withUnsafeBytes { bytes in
        work?(
          plugin,
          { handle, size, data in
            LV2Worker.at(handle!).respond(UnsafeRawBufferPointer(start: data, count: Int(size)))
            return LV2_WORKER_SUCCESS
          }, Unmanaged.passUnretained(self).toOpaque(), UInt32(bytes.count), bytes.baseAddress)
      }
    }
    for response in responses {
      _ = response.withUnsafeBytes { answer?(plugin, UInt32($0.count), $0.baseAddress) }
    }
    responses = []
    _ = interface.pointee.end_run?(plugin)
  }

  static func at(_ handle: UnsafeMutableRawPointer) -> LV2Worker {
    Unmanaged.fromOpaque(handle).takeUnretainedValue()
  }
}
