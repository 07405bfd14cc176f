import CSndFile
import Foundation
import Platform

/// The output file of libsndfile, which records the first failed of the system.
///
/// By itself libsndfile reports a full disk in some formats only, and never while closing a file.
class FileSink {
  /// A reason why the system refused to write.
  struct Failure: Error {
    var reason: String
    /// The complete file, if it could only not be moved to its place.
    var keptAt: String?

    init(reason: String) { self.reason = reason }
    init(errno code: Int32) { reason = String(cString: strerror(code)) }
  }

  private(set) var failure: Failure?
  private let file: WholeFile

  /// Opens the file that will be at `path` once it is complete.
  init(_ path: String) throws(Failure) { file = try Self.open(path, isHidden: true) }

  /// Opens a file that takes long to complete. A killed process leaves it behind, under a hidden name.
  init(recordingTo path: String) throws(Failure) { file = try Self.open(path, isHidden: false) }

  private static func open(_ path: String, isHidden: Bool) throws(Failure) -> WholeFile {
    // Opening would wait for a reader.
    if FileStatus(path)?.kind == S_IFIFO {
      throw Failure(reason: "it is a pipe, and the header of a sound file is written last")
    }
    do { return try WholeFile(path, staysWithoutName: isHidden) } catch {
      throw Failure(errno: error.code)
    }
  }

  /// Puts the complete file in its place.
  func finish() throws(Failure) {
    do { try file.finish() } catch {
      var failed = Failure(errno: error.code)
      failed.keptAt = error.keptAt
      throw failed
    }
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
    return fstat(file.descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
  }

  /// Returns the failed and forgets it, so that what was written before can be completed.
  func clearFailure() -> Failure? {
    defer { failure = nil }
    return failure
  }

  func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
    sf_count_t(lseek(file.descriptor, off_t(offset), whence))
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
        if failure == nil { failure = Failure(errno: step < 0 ? errno : ENOSPC) }
        if length() > before { ftruncate(file.descriptor, off_t(before)) }
        _ = seek(start, SEEK_SET)
        return 0
      }
      done += step
    }
    return count
  }

  /// Writes a part of some bytes, as the system's `write`.
  func put(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    Foundation.write(file.descriptor, bytes, count)
  }
}

private func sink(_ context: UnsafeMutableRawPointer?) -> FileSink {
  Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
}
