import Foundation

/// Decodes AAC, which libsndfile does not read, by the program ffmpeg if it is installed.
enum AACDecoder {
  /// Time limit for ffmpeg, longer than any recording takes, in case it hangs.
  private static let timeoutSeconds = 600.0
  /// Size limit, more than ten hours of stereo. ffmpeg stops there, and the file counts as too
  /// long.
  private static let mostBytes = 16_000_000_000

  /// Decodes to 32-bit floats in an unlinked CAF file, which disappears when it is closed.
  ///
  /// CAF has no limit of length. W64 is no alternative: libsndfile reads the floats of ffmpeg's W64
  /// as integers.
  ///
  /// - Returns: a descriptor of that file, open for reading.
  static func decode(_ path: String) throws(AudioFileError) -> Int32 {
    guard let ffmpeg = Self.program else { throw .needsFFmpeg(path) }
    let decoded = FileManager.default.temporaryDirectory
      .appendingPathComponent("choir-aac-\(UUID().uuidString).caf").path
    defer { unlink(decoded) }
    let isFrames = fileBegins(path, with: 0xFF)
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: ffmpeg)
    // Allow only the file's own format and no references to other files; stop at the first error.
    process.arguments = [
      "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode",
      "-protocol_whitelist", "file", "-f", isFrames ? "aac" : "mov",
      "-i", "file:\(URL(fileURLWithPath: path).path)", "-map", "0:a:0", "-c:a", "pcm_f32le",
      "-fs", "\(mostBytes)", "-f", "caf", "-y", "file:\(decoded)",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    do { try process.run() } catch { throw .needsFFmpeg(path) }
    let watch = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeoutSeconds, execute: watch)
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    watch.cancel()
    let size = (try? FileManager.default.attributesOfItem(atPath: decoded)[.size] as? Int) ?? 0
    guard process.terminationStatus == 0, size > 0, size < mostBytes else {
      throw .damaged(path, reason: "ffmpeg says: \(reason(said))")
    }
    let descriptor = open(decoded, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .notReadable(path, reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  /// Path of ffmpeg in the folders of `PATH`; `nil` if it is not installed.
  private static var program: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func fileBegins(_ path: String, with byte: UInt8) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 1))?.first == byte
  }

  /// The last line of ffmpeg's errors, without memory addresses.
  private static func reason(_ said: Data) -> String {
    let line = String(decoding: said, as: UTF8.self).split(separator: "\n").last
    let text = line.map { $0.replacing(#/^\[[^\]]*\] /#, with: "") } ?? ""
    return text.isEmpty ? "it can't be decoded" : text.filter { !$0.isASCII || $0 >= " " }
  }
}
