import CSndFile

/// The owner of one libsndfile handle, which is closed when the owner goes.
struct SoundFileHandle: ~Copyable {
  private var open: OpaquePointer?
  /// What the handle writes through; it has to be there until the handle is closed.
  private let sink: FileSink?

  init(_ opened: OpaquePointer, writingTo sink: FileSink? = nil) {
    open = opened
    self.sink = sink
  }

  deinit { if let open { sf_close(open) } }

  /// libsndfile's own pointer, for the length of one call.
  var raw: OpaquePointer {
    guard let open else { preconditionFailure("a closed sound file is used") }
    return open
  }

  /// The error of the last call, in libsndfile's words; nil where there was none.
  var failure: String? { Self.words(for: sf_error(raw)) }

  /// Closes now; returns the error of doing so, nil where there was none.
  mutating func close() -> String? {
    let status = sf_close(raw)
    open = nil
    return Self.words(for: status)
  }

  /// "Error : flac decoder lost sync." becomes "flac decoder lost sync".
  private static func words(for status: Int32) -> String? {
    guard status != SF_ERR_NO_ERROR else { return nil }
    var words = String(cString: sf_error_number(status))
    if words.hasPrefix("Error : ") { words.removeFirst("Error : ".count) }
    if words.hasSuffix(".") { words.removeLast() }
    return words
  }
}
