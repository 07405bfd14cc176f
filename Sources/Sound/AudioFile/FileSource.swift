import CSndFile
import Foundation
import Platform

/// A part of a file as libsndfile reads it, with corrected header fields.
final class FileSource {
  /// Position of the next byte, in the file.
  private(set) var position: Int
  /// The first refusal of the system to read.
  private(set) var failure: String?
  private let descriptor: FileDescriptor
  private let part: Range<Int>
  private let corrections: [Int: [UInt8]]

  /// - Parameter corrections: bytes that replace those of the file, by position in the file.
  init(_ descriptor: FileDescriptor, part: Range<Int>, corrections: [Int: [UInt8]]) {
    (self.descriptor, self.part, self.corrections) = (descriptor, part, corrections)
    position = part.lowerBound
  }

  /// Callbacks for libsndfile, with the source as context.
  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(source($0).part.count) },
      seek: { offset, whence, context in source(context).seek(Int(offset), whence) },
      read: { bytes, count, context in source(context).read(bytes, Int(count)) },
      write: { _, _, _ in 0 },
      tell: { sf_count_t(source($0).position - source($0).part.lowerBound) })
  }

  private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
    let start =
      switch whence {
      case SEEK_CUR: position
      case SEEK_END: part.upperBound
      default: part.lowerBound
      }
    let (target, overflow) = start.addingReportingOverflow(offset)
    guard !overflow, target >= part.lowerBound else { return -1 }
    position = target
    return sf_count_t(target - part.lowerBound)
  }

  private func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
    let wanted = min(count, part.upperBound - position)
    guard let bytes, wanted > 0 else { return 0 }
    var done = 0
    while done < wanted {
      let step = pread(descriptor.number, bytes + done, wanted - done, off_t(position + done))
      if step < 0 && errno == EINTR { continue }
      if step < 0, failure == nil { failure = String(cString: strerror(errno)) }
      if step <= 0 { break }
      done += step
    }
    for (start, field) in corrections {
      for (at, byte) in zip(start..., field) where position..<position + done ~= at {
        (bytes + at - position).storeBytes(of: byte, as: UInt8.self)
      }
    }
    position += done
    return sf_count_t(done)
  }
}

private func source(_ context: UnsafeMutableRawPointer?) -> FileSource {
  Unmanaged<FileSource>.fromOpaque(context!).takeUnretainedValue()
}
