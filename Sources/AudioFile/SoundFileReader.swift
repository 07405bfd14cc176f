import CSndFile
import Foundation

/// An open sound file, read from its start to its end.
///
/// Opening settles everything that can be known before decoding; `read` then hands out frames
/// until there are none, and `finish` says whether that was all of them.
struct SoundFileReader: ~Copyable {
  let info: AudioFileInfo
  private let path: String
  private let handle: SoundFileHandle
  private let descriptor: Int32  // libsndfile's; only asked how far it has come
  private let byteCount: Int
  private var framesRead = 0
  private var firstFailure: String?

  init(opening path: String) throws(AudioFileError) {
    var descriptor = try openForReading(path)
    var container = ContainerCheck(descriptor: descriptor)
    let isAAC = AudioFormat(signature: container.signature) == .aac
    if isAAC {
      close(descriptor)
      descriptor = try AACDecoder.decode(path)
      container = ContainerCheck(descriptor: descriptor)
    }
    var raw = SF_INFO()
    // From here on libsndfile owns the descriptor, and closes it also when it fails.
    guard let opened = sf_open_fd(descriptor, Int32(SFM_READ), &raw, Int32(SF_TRUE)) else {
      throw Self.openingError(path, signature: container.signature)
    }
    let handle = SoundFileHandle(opened)
    info = try Self.checkedInfo(raw, path: path, container: container, isAAC: isAAC)
    self.path = path
    self.descriptor = descriptor
    byteCount = container.byteCount
    self.handle = handle
  }

  /// Decodes the next frames into `buffer`, interleaved; returns how many, 0 at the end.
  mutating func read(into buffer: inout [Float]) -> Int {
    let room = sf_count_t(buffer.count / info.channelCount)
    let count = Int(sf_readf_float(handle.raw, &buffer, room))
    framesRead += count
    // The next call forgets the error of this one.
    if firstFailure == nil { firstFailure = handle.failure }
    return count
  }

  /// Compares what was read with what the file announced.
  func finish() throws(AudioFileError) {
    if let announced = info.frameCount {
      // MP3 may fall one MPEG frame short: encoders disagree on whether to count the header's own.
      let tolerance = info.format == .mp3 ? 1152 : 0
      if framesRead + tolerance < announced {
        throw .truncated(path, detail: "\(framesRead) of \(announced) frames could be read")
      }
    } else if info.format == .mp3 {
      try checkGuessedLength()
    }
    if let firstFailure { throw .damaged(path, reason: firstFailure) }
    if framesRead == 0 { throw .noFrames(path) }
  }

  /// Where no header counts an MP3's frames, libsndfile guesses from the first bit rate, stops
  /// there, and leaves the rest of a file of varying bit rate unread.
  private func checkGuessedLength() throws(AudioFileError) {
    let unread = byteCount - Int(lseek(descriptor, 0, SEEK_CUR))
    if unread > 8192 {  // tags at the end are smaller
      let reason = "its bit rate varies and no Xing header gives its length"
      throw .damaged(path, reason: reason)
    }
  }

  /// What is known of an opened file, or why it should not be read on.
  private static func checkedInfo(
    _ raw: SF_INFO, path: String, container: ContainerCheck, isAAC: Bool
  ) throws(AudioFileError) -> AudioFileInfo {
    guard let format = isAAC ? .aac : AudioFormat(sndfileFormat: raw.format) else {
      throw .notRecognised(path)
    }
    let ending = fileExtension(of: path)
    if !format.extensions.contains(ending) {
      guard AudioFormat(extensionOf: path) != nil else {
        throw .unknownExtension(path, content: format)
      }
      throw .wrongExtension(path, content: format)
    }
    let rateHz = Double(raw.samplerate)
    guard AudioFile.ratesHz.contains(rateHz) else { throw .rateOutOfRange(path, rateHz: rateHz) }
    if let detail = container.cut(format) { throw .truncated(path, detail: detail) }
    var frameCount: Int? = Int(raw.frames)
    if raw.frames == Int64.max {  // libsndfile found no end
      guard format == .flac else { throw .truncated(path, detail: "its end cannot be found") }
      frameCount = nil
    } else if format == .mp3 && !container.mp3CountsItsFrames {
      frameCount = nil  // only a guess from the first bit rate
    } else if raw.frames == 0 {
      throw .noFrames(path)
    }
    return AudioFileInfo(
      format: format, sampleType: isAAC ? nil : .init(sndfileFormat: raw.format),
      channelCount: Int(raw.channels), sampleRateHz: rateHz,
      frameCount: frameCount)
  }

  /// Why libsndfile would not open a file that the system opened.
  private static func openingError(_ path: String, signature: [UInt8]) -> AudioFileError {
    guard let format = AudioFormat(signature: signature) else { return .notRecognised(path) }
    let name = format == .vorbis ? "Ogg" : format.description  // which Ogg comes later in the file
    return .damaged(path, reason: "it begins like \(name), but its header makes no sense")
  }
}

/// Opens `path` for reading, or says which of the plain reasons forbids it.
private func openForReading(_ path: String) throws(AudioFileError) -> Int32 {
  var status = stat()
  guard stat(path, &status) == 0 else {
    if errno == ENOENT { throw .missing(path) }
    throw .notReadable(path, reason: String(cString: strerror(errno)))
  }
  switch status.st_mode & S_IFMT {
  case S_IFDIR: throw .isDirectory(path)
  case S_IFREG: break
  default: throw .notReadable(path, reason: "it is a device, pipe or socket, not a file")
  }
  if status.st_size == 0 { throw .empty(path) }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw .notReadable(path, reason: String(cString: strerror(errno)))
  }
  return descriptor
}
