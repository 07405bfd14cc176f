import Foundation
import Platform

/// Decodes what libsndfile does not read, by the program ffmpeg if it is installed.
enum FFmpegDecoder {
  /// Time limit for ffmpeg, longer than any recording takes, in case it hangs.
  private static let timeoutSeconds = 600.0
  /// Size limit, more than ten hours of stereo. ffmpeg stops there, and the file counts as too
  /// long.
  private static let maxBytes = 16_000_000_000
  /// Formats that hold sound. Playlists are not among them: they refer to other files.
  private static let formats = [
    "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dsf", "eac3", "flac", "flv",
    "mov",
    "matroska", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "nistsphere", "ogg", "tak", "tta", "voc",
    "w64", "wav", "wv",
  ]

  /// The decoded sound of a file.
  struct Decoded {
    /// A descriptor of 32-bit floats in a CAF file, open for reading. CAF has no limit of length.
    let descriptor: FileDescriptor
    /// The container and the codec, in ffmpeg's names.
    let content: String
    let remarks: [String]
  }

  /// Decodes the first audio stream into an unlinked file, which disappears when it is closed.
  static func decode(
    _ path: String, _ container: SoundContainer
  ) throws(AudioFileError) -> Decoded {
    let known = AudioFormat(signature: container.signature)
    /// The error without ffmpeg's help.
    var refusal: AudioFileError {
      if let codec = container.foreignCodec { return .needsFFmpeg(path, content: codec) }
      guard let known else { return .notRecognised(path) }
      let name = known == .vorbis ? "Ogg" : known.description  // the codec comes later in the file
      return .damaged(path, reason: "it begins like \(name), but its header is invalid")
    }
    let scratch: ScratchFolder
    do { scratch = try ScratchFolder() } catch {
      throw .notReadable(path, reason: errorText(error))
    }
    defer { scratch.discard() }
    // Allow no references to other files; stop at the first error.
    let arguments = [
      "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-v", "level+info", "-xerror",
      "-err_detect", "explode", "-protocol_whitelist", "file", "-format_whitelist",
      formats.joined(separator: ","),
      "-i", "file:\(URL(fileURLWithPath: path).path)", "-map", "0:a:0", "-c:a", "pcm_f32le",
      "-fs", "\(maxBytes)", "-f", "caf", "-y", "decoded.caf",
    ]
    // The shell keeps all messages: a child's standard error is kept in part.
    let ffmpeg = ChildProcess(
      arguments: ["sh", "-c", "exec \"$@\" 2> messages", "sh"] + arguments,
      timeoutSeconds: timeoutSeconds, fileMB: Double(maxBytes) / 1_048_576 + 1,
      folder: scratch.url)
    let isDecoded = (try? ffmpeg.run()) != nil
    let report = Report((try? GivenFile.data(at: scratch.file("messages"))) ?? Data())
    let file = try? GivenFile.open(scratch.file("decoded.caf").path)
    guard isDecoded, let file, let size = FileStatus(of: file.number)?.size, size > 0,
      size < maxBytes
    else {
      guard isInstalled, container.foreignCodec != nil else { throw refusal }
      throw .damaged(path, reason: "ffmpeg says: \(report.reason)")
    }
    return Decoded(
      descriptor: file, content: report.content,
      remarks: report.audioStreamCount > 1
        ? ["it has \(report.audioStreamCount) audio streams; the first is read"] : [])
  }

  private static var isInstalled: Bool {
    ProgramFile.path(of: "ffmpeg", in: Scratch.parent, ChildEnvironment.passedOn) != nil
  }

  /// The messages of ffmpeg, one to a line, each with its level.
  private struct Report {
    let lines: [Substring]

    init(_ data: Data) { lines = String(decoding: data, as: UTF8.self).split(separator: "\n") }

    /// The streams of the input, whose list ends where that of the output begins.
    private var inputStreams: [Substring] {
      lines.prefix { !$0.contains("Output #0") }
        .filter { $0.contains(#/Stream #0:\d+.*: Audio: /#) }
    }

    var audioStreamCount: Int { inputStreams.count }

    /// "mov,mp4,m4a,3gp,3g2,mj2 with pcm_s16le".
    var content: String {
      let container = lines.compactMap { $0.firstMatch(of: #/Input #0, (.*), from /#)?.1 }.first
      let codec = inputStreams.first?.firstMatch(of: #/: Audio: (\w+)/#)?.1
      return [container, codec].compactMap(\.self).joined(separator: " with ")
    }

    /// The last error that is not the summary, without memory addresses.
    var reason: String {
      let errors = lines.filter { $0.contains("[error]") || $0.contains("[fatal]") }
      let cause = errors.last { !$0.contains("Invalid data found when processing input") }
      let text = (cause ?? errors.last).map { $0.replacing(#/^(\[[^\]]*\] )+/#, with: "") } ?? ""
      return text.isEmpty ? "it can't be decoded" : text.filter { !$0.isASCII || $0 >= " " }
    }
  }
}
