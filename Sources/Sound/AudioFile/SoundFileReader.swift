import CSndFile
import Foundation
import Platform

/// An open sound file, read from start to end.
///
/// Opening checks everything that is known before decoding. `read` returns frames until there are
/// none, and `finish` checks that the file was complete. What libsndfile does not read, ffmpeg
/// decodes first, if it is installed.
struct SoundFileReader: ~Copyable {
  let info: AudioFileInfo
  private let path: String
  private let descriptor: FileDescriptor
  private let container: SoundContainer
  private var source: FileSource
  private var handle: SoundFileHandle
  /// The links of a chained file that follow the open one.
  private var laterParts: ArraySlice<Range<Int>>
  private var framesRead = 0
  private var firstFailure: String?

  init(opening path: String) throws(AudioFileError) {
    var descriptor = try Self.file(at: path)
    var container = SoundContainer(descriptor: descriptor.number)
    var opened = Self.open(container.parts[0], of: container, descriptor)
    var isForeign = false
    var remarks = container.remarks
    if opened == nil {
      if let detail = container.cut { throw .truncated(path, detail: detail) }
      let decoded = try FFmpegDecoder.decode(path, container)
      descriptor = decoded.descriptor
      remarks = decoded.remarks
      let ending = fileExtension(of: path)
      guard
        AudioFormat(extensionOf: path) ?? .foreign == .foreign
          || AudioFormat(signature: container.signature)?.extensions.contains(ending) == true
      else { throw .foreignContent(path, content: container.foreignCodec ?? decoded.content) }
      container = SoundContainer(descriptor: descriptor.number)
      opened = Self.open(container.parts[0], of: container, descriptor)
      isForeign = true
    }
    guard let first = opened.take() else { throw .notRecognised(path) }
    var raw = first.raw
    for part in container.parts.dropFirst() {
      guard let link = Self.open(part, of: container, descriptor) else {
        throw .damaged(path, reason: "the stream at byte \(part.lowerBound) has an invalid header")
      }
      guard link.raw.samplerate == raw.samplerate, link.raw.channels == raw.channels else {
        throw .notDecodable(
          path, content: "streams of different sample rates or channels, one after the other")
      }
      let (sum, overflow) = raw.frames.addingReportingOverflow(link.raw.frames)
      raw.frames = overflow ? Int64.max : sum  // of a link whose end is not found
    }
    info = try Self.checkedInfo(
      raw, path: path, container: container, isForeign: isForeign, remarks: remarks)
    self.path = path
    self.descriptor = descriptor
    self.container = container
    (source, laterParts) = (first.source, container.parts.dropFirst())
    handle = first.handle
  }

  /// A stream that libsndfile reads, with its properties.
  private struct Stream: ~Copyable {
    let handle: SoundFileHandle
    let source: FileSource
    let raw: SF_INFO
  }

  /// Opens a part of the file; `nil` if libsndfile does not read it.
  private static func open(
    _ part: Range<Int>, of container: SoundContainer, _ descriptor: FileDescriptor
  ) -> Stream? {
    let source = FileSource(descriptor, part: part, corrections: container.corrections)
    var (raw, calls) = (SF_INFO(), FileSource.calls)
    let context = Unmanaged.passUnretained(source).toOpaque()
    guard let opened = sf_open_virtual(&calls, Int32(SFM_READ), &raw, context) else { return nil }
    let handle = SoundFileHandle(opened, through: source)
    guard AudioFormat(sndfileFormat: raw.format) != nil else { return nil }
    return Stream(handle: handle, source: source, raw: raw)
  }

  /// Decodes the next frames into `buffer`, interleaved; returns their number, 0 at the end.
  mutating func read(into buffer: inout [Float]) -> Int {
    while true {
      let room = sf_count_t(buffer.count / info.channelCount)
      let count = Int(sf_readf_float(handle.raw, &buffer, room))
      framesRead += count
      // The next call clears the error of this one.
      if firstFailure == nil { firstFailure = handle.failure }
      guard count == 0, let part = laterParts.popFirst(),
        let next = Self.open(part, of: container, descriptor)
      else { return count }
      source = next.source
      handle = next.handle
    }
  }

  /// Begins again with the first frame.
  mutating func rewind() throws(AudioFileError) {
    guard let first = Self.open(container.parts[0], of: container, descriptor) else {
      throw .damaged(path, reason: "it changed while it was read")
    }
    source = first.source
    handle = first.handle
    laterParts = container.parts.dropFirst()
    (framesRead, firstFailure) = (0, nil)
  }

  /// Compares the frames read with the number announced.
  func finish() throws(AudioFileError) {
    if let reason = source.failure { throw .notReadable(path, reason: reason) }
    if let announced = info.frameCount {
      // MP3 may be one MPEG frame short: encoders disagree on counting the header's own frame.
      if framesRead + (info.format == .mp3 ? 1152 : 0) < announced {
        throw .truncated(path, detail: "\(framesRead) of \(announced) frames could be read")
      }
    } else if info.format == .mp3 {
      try checkGuessedLength()
    }
    if let firstFailure { throw .damaged(path, reason: firstFailure) }
    if framesRead == 0 { throw .noFrames(path) }
  }

  /// Detects sound that was not read. For an MP3 without a frame count libsndfile guesses the
  /// length from the first bit rate and stops there, which misses the rest of a file with variable
  /// bit rate.
  private func checkGuessedLength() throws(AudioFileError) {
    if container.parts.last!.upperBound - source.position > 8192 {  // other tags are smaller
      throw .notDecodable(path, content: "MP3 of varying bit rate without a Xing header")
    }
  }

  /// The properties of an opened file; throws if it can't be read.
  private static func checkedInfo(
    _ raw: SF_INFO, path: String, container: SoundContainer, isForeign: Bool, remarks: [String]
  ) throws(AudioFileError) -> AudioFileInfo {
    let format = isForeign ? .foreign : AudioFormat(sndfileFormat: raw.format)!
    if !isForeign, !format.extensions.contains(fileExtension(of: path)) {
      guard AudioFormat(extensionOf: path) != nil else {
        throw .unknownExtension(path, content: format)
      }
      throw .wrongExtension(path, content: format)
    }
    let rateHz = Double(raw.samplerate)
    guard AudioFile.ratesHz.contains(rateHz) else { throw .rateOutOfRange(path, rateHz: rateHz) }
    if let detail = container.cut { throw .truncated(path, detail: detail) }
    var frameCount: Int? = Int(raw.frames)
    if raw.frames == Int64.max {  // libsndfile found no end
      guard format == .flac else { throw .truncated(path, detail: "its end cannot be found") }
      frameCount = nil
    } else if Int(raw.format) & SF_FORMAT_SUBMASK == SF_FORMAT_MPEG_LAYER_III,
      !container.mp3CountsItsFrames
    {
      frameCount = nil  // only a guess from the first bit rate, or in WAV from its own count
    } else if raw.frames == 0 {
      throw .noFrames(path)
    }
    return AudioFileInfo(
      format: format, sampleType: isForeign ? nil : .init(sndfileFormat: raw.format),
      channelCount: Int(raw.channels), sampleRateHz: rateHz, frameCount: frameCount,
      remarks: remarks)
  }

  /// Opens `path` for reading; throws if it is missing, empty, not a file, or not readable.
  private static func file(at path: String) throws(AudioFileError) -> FileDescriptor {
    let file: FileDescriptor
    do { file = try GivenFile.open(path) } catch {
      switch error.cause {
      case .missing: throw .missing(path)
      case .folder: throw .isDirectory(path)
      case .special:
        throw .notReadable(path, reason: "it is a device, pipe or socket, not a file")
      case .linkLoop: throw .notReadable(path, reason: "it is a link that leads back to itself")
      case .refused(let reason): throw .notReadable(path, reason: reason)
      }
    }
    if FileStatus(of: file.number)?.size == 0 { throw .empty(path) }
    return file
  }
}
