import CPluginHost
import Glibc
import HostProtocol

/// The features that the host offers to LV2 plugins. They live until the process ends.
final class LV2Features {
  /// The features that a plugin may require.
  static let supported: Set<String> = [
    LV2Name.map, LV2Name.unmap, LV2Name.options, LV2Name.boundedBlockLength,
    LV2Name.fixedBlockLength, LV2Name.powerOf2BlockLength,
    LV2Name.coarseBlockLength, LV2Name.schedule, LV2Name.log,
    LV2Name.loadDefaultState, LV2Name.isLive, LV2Name.inPlaceBroken,
    LV2Name.hardRTCapable,
  ]

  let uris = LV2URIs()
  let worker = LV2Worker()
  /// The features, ended by `nil`.
  let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  let map: UnsafeMutablePointer<LV2_URID_Map>
  let unmap: UnsafeMutablePointer<LV2_URID_Unmap>

  init(_ session: HostSession, sequenceBytes: Int) {
    map = Self.kept(
      LV2_URID_Map(handle: Unmanaged.passUnretained(uris).toOpaque()) { handle, uri in
        LV2URIs.at(handle!).number(of: String(cString: uri!))
      })
    unmap = Self.kept(
      LV2_URID_Unmap(handle: Unmanaged.passUnretained(uris).toOpaque()) { handle, number in
        LV2URIs.at(handle!).text(of: number)
      })
    var log = lv2_log_to_errors()
    log.handle = nil
    let schedule = Self.kept(
      LV2_Worker_Schedule(handle: Unmanaged.passUnretained(worker).toOpaque()) {
        handle, size, data in
        LV2Worker.at(handle!).schedule(UnsafeRawBufferPointer(start: data, count: Int(size)))
        return LV2_WORKER_SUCCESS
      })
    let options = Self.options(session, sequenceBytes: sequenceBytes, uris)
    var features: [(String, UnsafeMutableRawPointer?)] = [
      (LV2Name.map, UnsafeMutableRawPointer(map)),
      (LV2Name.unmap, UnsafeMutableRawPointer(unmap)),
      (LV2Name.options, options),
      (LV2Name.schedule, UnsafeMutableRawPointer(schedule)),
      (LV2Name.log, UnsafeMutableRawPointer(Self.kept(log))),
      (LV2Name.boundedBlockLength, nil),
      (LV2Name.fixedBlockLength, nil),
      // Blocks are never split where a control changes, which is all that it asks for.
      (LV2Name.coarseBlockLength, nil),
      (LV2Name.loadDefaultState, nil),
    ]
    if session.blockSize.nonzeroBitCount == 1 {
      features.append((LV2Name.powerOf2BlockLength, nil))
    }
    list = .allocate(capacity: features.count + 1)
    for (index, feature) in features.enumerated() {
      let made = Self.kept(LV2_Feature(URI: UnsafePointer(strdup(feature.0)), data: feature.1))
      (list + index).initialize(to: UnsafePointer(made))
    }
    (list + features.count).initialize(to: nil)
  }

  /// Returns a copy of a value that is never freed.
  private static func kept<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    return place
  }

  private static func options(
    _ session: HostSession, sequenceBytes: Int, _ uris: LV2URIs
  ) -> UnsafeMutableRawPointer {
    let (int, float) = (uris.number(of: LV2Name.int), uris.number(of: LV2Name.float))
    func option<Value: BitwiseCopyable>(
      _ uri: String, _ value: Value, _ type: LV2_URID
    ) -> LV2_Options_Option {
      LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: uris.number(of: uri),
        size: UInt32(MemoryLayout<Value>.size), type: type, value: UnsafeRawPointer(kept(value)))
    }
    let block = Int32(session.blockSize)
    let all = [
      option(LV2Name.minBlockLength, block, int),
      option(LV2Name.maxBlockLength, block, int),
      option(LV2Name.nominalBlockLength, block, int),
      option(LV2Name.sequenceSize, Int32(sequenceBytes), int),
      option(LV2Name.sampleRate, Float(session.sampleRateHz), float),
      LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: 0, size: 0, type: 0, value: nil),
    ]
    let place = UnsafeMutablePointer<LV2_Options_Option>.allocate(capacity: all.count)
    place.initialize(from: all, count: all.count)
    return UnsafeMutableRawPointer(place)
  }
}
