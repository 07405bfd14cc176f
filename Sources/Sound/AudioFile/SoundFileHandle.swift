import CSndFile

/// Owns one libsndfile handle and closes it at the end of its life.
struct SoundFileHandle: ~Copyable {
  private var open: OpaquePointer?
  /// The context of libsndfile's callbacks, which must outlive the handle.
  private let file: AnyObject

  /// - Parameter file: the sink or source that libsndfile calls.
  init(_ opened: OpaquePointer, through file: AnyObject) {
    open = opened
    self.file = file
  }

  deinit { if let open { sf_close(open) } }

  /// libsndfile's pointer, valid for the length of one call.
  var raw: OpaquePointer {
    guard let open else { preconditionFailure("a closed sound file is used") }
    return open
  }

  /// libsndfile's error of the last call; nil if there was none.
  var failure: String? { Self.text(for: sf_error(raw)) }

  /// Closes the handle; returns the error, nil if there was none.
  mutating func close() -> String? {
    let status = sf_close(raw)
    open = nil
    return Self.text(for: status)
  }

  /// The text of an error: "Error : flac decoder lost sync." becomes "flac decoder lost sync".
  private static func text(for status: Int32) -> String? {
    guard status != SF_ERR_NO_ERROR else { return nil }
    var text = String(cString: sf_error_number(status))
    if text.hasPrefix("Error : ") { text.removeFirst("Error : ".count) }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
