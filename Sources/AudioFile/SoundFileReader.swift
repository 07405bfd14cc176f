import CSndFile
import Files
import Foundation

/// An open sound file, read from start to end.
///
/// Opening checks everything that is known before decoding. `read` returns frames until there are
/// none, and `finish` checks that the file was complete.
struct SoundFileReader: ~Copyable {
  let info: AudioFileInfo
  private let path: String
  private let handle: SoundFileHandle
  private let descriptor: Int32  // owned by libsndfile; used only to query its position
  private let byteCount: Int
  private var framesRead = 0
  private var firstFailure: String?
  /// True if libsndfile takes the bits of floats for those of integers.
  private let floatsAreTakenForIntegers: Bool

  init(opening path: String) throws(AudioFileError) {
    var descriptor = try openForReading(path)
    var container = ContainerCheck(descriptor: descriptor)
    let isAAC = AudioFormat(signature: container.signature) == .aac
    if isAAC {
      close(descriptor)
      descriptor = try AACDecoder.decode(path)
      container = ContainerCheck(descriptor: descriptor)
    }
    if let samples = container.extensibleW64, !Self.canRead(samples) {
      close(descriptor)
      throw .unknownSamples(
        path, samples: "\(samples.bits)-bit samples of the format \(samples.code) in W64")
    }
    var raw = SF_INFO()
    // From here libsndfile owns the descriptor, and closes it even on failure.
    guard let opened = sf_open_fd(descriptor, Int32(SFM_READ), &raw, Int32(SF_TRUE)) else {
      throw Self.openingError(path, signature: container.signature)
    }
    let handle = SoundFileHandle(opened)
    info = try Self.checkedInfo(raw, path: path, container: container, isAAC: isAAC)
    floatsAreTakenForIntegers = container.extensibleW64?.code == 3
    self.path = path
    self.descriptor = descriptor
    byteCount = container.byteCount
    self.handle = handle
  }

  /// Decodes the next frames into `buffer`, interleaved; returns their number, 0 at the end.
  mutating func read(into buffer: inout [Float]) -> Int {
    let room = sf_count_t(buffer.count / info.channelCount)
    let count =
      floatsAreTakenForIntegers
      ? readBits(into: &buffer, room: room) : Int(sf_readf_float(handle.raw, &buffer, room))
    framesRead += count
    // The next call clears the error of this one.
    if firstFailure == nil { firstFailure = handle.failure }
    return count
  }

  /// Decodes the next frames from the bits of integers.
  private func readBits(into buffer: inout [Float], room: sf_count_t) -> Int {
    var integers = [Int32](repeating: 0, count: buffer.count)
    let count = Int(sf_readf_int(handle.raw, &integers, room))
    for i in 0..<count * info.channelCount {
      buffer[i] = Float(bitPattern: UInt32(bitPattern: integers[i]))
    }
    return count
  }

  /// Compares the frames read with the number announced.
  func finish() throws(AudioFileError) {
    if let announced = info.frameCount {
      // MP3 may be one MPEG frame short: encoders disagree on counting the header's own frame.
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

  /// Detects sound that was not read. For an MP3 without a frame count libsndfile guesses the
  /// length from the first bit rate and stops there, which misses the rest of a file with variable
  /// bit rate.
  private func checkGuessedLength() throws(AudioFileError) {
    let unread = byteCount - Int(lseek(descriptor, 0, SEEK_CUR))
    if unread > 8192 {  // tags at the end are smaller
      let reason = "its bit rate varies and no Xing header gives its length"
      throw .damaged(path, reason: reason)
    }
  }

  /// Returns true if samples of an extensible W64 file can be read. libsndfile ignores the code and
  /// takes all of them for integers; ffmpeg writes floats in this form.
  private static func canRead(_ samples: ContainerCheck.ExtensibleSamples) -> Bool {
    samples.code == 1 || samples == .init(code: 3, bits: 32)
  }

  /// The properties of an opened file; throws if it can't be read.
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
    let isFloat = container.extensibleW64?.code == 3
    return AudioFileInfo(
      format: format,
      sampleType: isAAC ? nil : isFloat ? .float32 : .init(sndfileFormat: raw.format),
      channelCount: Int(raw.channels), sampleRateHz: rateHz,
      frameCount: frameCount)
  }

  /// The reason why libsndfile can't open a file that the system can.
  private static func openingError(_ path: String, signature: [UInt8]) -> AudioFileError {
    guard let format = AudioFormat(signature: signature) else { return .notRecognised(path) }
    let name = format == .vorbis ? "Ogg" : format.description  // the codec comes later in the file
    return .damaged(path, reason: "it begins like \(name), but its header is invalid")
  }
}

/// Opens `path` for reading; throws if it is missing, empty, not a file, or not readable.
private func openForReading(_ path: String) throws(AudioFileError) -> Int32 {
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
  let descriptor = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
  guard descriptor >= 0 else {
    throw .notReadable(path, reason: String(cString: strerror(errno)))
  }
  return descriptor
}
