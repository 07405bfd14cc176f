import CSndFile
import Foundation

/// The output file of libsndfile, which records the first refusal of the system.
///
/// By itself libsndfile reports a full disk in some formats only, and never while closing a file.
class FileSink {
  /// A reason why the system refused to write.
  struct Refusal: Error {
    var reason: String

    init(reason: String) { self.reason = reason }
    init(errno code: Int32) { reason = String(cString: strerror(code)) }
  }

  private(set) var failure: Refusal?
  private var descriptor: Int32

  /// Creates a new file, open for writing; refused if the name exists.
  convenience init(creating path: String) throws(Refusal) {
    try self.init(opening: path, flags: O_WRONLY | O_CREAT | O_EXCL)
  }

  init(opening path: String, flags: Int32) throws(Refusal) {
    descriptor = open(path, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw Refusal(errno: errno) }
  }

  deinit { close() }

  /// Closes the file. Some systems, network folders above all, refuse only now.
  func close() {
    guard descriptor >= 0 else { return }
    if Foundation.close(descriptor) != 0 { note(errno) }
    descriptor = -1
  }

  /// Callbacks for libsndfile, with the sink as context.
  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sink($0).length() },
      seek: { offset, whence, context in sink(context).seek(offset, whence) },
      read: { _, _, _ in 0 },
      write: { bytes, count, context in sink(context).write(bytes, count) },
      tell: { sink($0).seek(0, SEEK_CUR) })
  }

  /// Size of the file; -1 after a failure of the system.
  func length() -> sf_count_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
  }

  /// Returns the refusal and forgets it, so that what was written before can be completed.
  func takeFailure() -> Refusal? {
    defer { failure = nil }
    return failure
  }

  func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
    sf_count_t(lseek(descriptor, off_t(offset), whence))
  }

  /// Writes all bytes or, where the system refuses, none.
  private func write(_ bytes: UnsafeRawPointer?, _ count: sf_count_t) -> sf_count_t {
    guard let bytes else { return 0 }
    let (start, before) = (seek(0, SEEK_CUR), length())
    var done = 0
    while done < Int(count) {
      let step = put(bytes + done, Int(count) - done)
      if step < 0 && errno == EINTR { continue }
      if step <= 0 {
        note(step < 0 ? errno : ENOSPC)
        if length() > before { ftruncate(descriptor, off_t(before)) }
        _ = seek(start, SEEK_SET)
        return 0
      }
      done += step
    }
    return count
  }

  /// Writes a part of some bytes, as the system's `write`.
  func put(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    Foundation.write(descriptor, bytes, count)
  }

  private func note(_ code: Int32) {
    if failure == nil { failure = Refusal(errno: code) }
  }
}

private func sink(_ context: UnsafeMutableRawPointer?) -> FileSink {
  Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
}
