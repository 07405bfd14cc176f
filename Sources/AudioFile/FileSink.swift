import CSndFile
import Files
import Foundation

/// The output file of libsndfile, which records the first refusal of the system.
///
/// By itself libsndfile reports a full disk in some formats only, and never while closing a file.
final class FileSink {
  /// A reason why the system refused to write.
  struct Refusal: Error {
    var reason: String

    init(reason: String) { self.reason = reason }
    init(errno code: Int32) { reason = String(cString: strerror(code)) }
  }

  private(set) var failure: Refusal?
  private let file: WholeFile

  /// Opens the file that will be at `path` once it is complete.
  init(_ path: String) throws(Refusal) {
    // Opening would wait for a reader.
    if FileStatus(path)?.kind == S_IFIFO {
      throw Refusal(reason: "it is a pipe, and the header of a sound file is written last")
    }
    do { file = try WholeFile(path) } catch { throw Refusal(errno: error.code) }
  }

  /// Puts the complete file in its place.
  func finish() throws(Refusal) {
    do { try file.finish() } catch { throw Refusal(errno: error.code) }
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

  private func length() -> sf_count_t {
    var status = stat()
    return fstat(file.descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
  }

  private func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
    sf_count_t(lseek(file.descriptor, off_t(offset), whence))
  }

  private func write(_ bytes: UnsafeRawPointer?, _ count: sf_count_t) -> sf_count_t {
    guard let bytes else { return 0 }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    guard let code = DescriptorWriting.write(buffer, to: file.descriptor) else { return count }
    if failure == nil { failure = Refusal(errno: code) }
    return 0
  }
}

private func sink(_ context: UnsafeMutableRawPointer?) -> FileSink {
  Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
}
