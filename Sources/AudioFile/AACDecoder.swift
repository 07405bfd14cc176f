import Files
import Foundation
import Programs

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
    let scratch: ScratchFolder
    do { scratch = try ScratchFolder() } catch { throw .notReadable(path, reason: "\(error)") }
    defer { scratch.discard() }
    let decoded = scratch.file("decoded.caf").path
    let isFrames = (try? GivenFile.head(1, of: URL(fileURLWithPath: path)))?.first == 0xFF
    // Allow only the file's own format and no references to other files; stop at the first error.
    let arguments = [
      "ffmpeg", "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode",
      "-protocol_whitelist", "file", "-f", isFrames ? "aac" : "mov",
      "-i", "file:\(URL(fileURLWithPath: path).path)", "-map", "0:a:0", "-c:a", "pcm_f32le",
      "-fs", "\(mostBytes)", "-f", "caf", "-y", "file:\(decoded)",
    ]
    let ffmpeg = ChildProcess(
      arguments: arguments, timeoutSeconds: timeoutSeconds,
      fileMB: Double(mostBytes) / 1_048_576 + 1, folder: scratch.url)
    do { _ = try ffmpeg.run() } catch ChildProcess.Failure.notFound {
      throw .needsFFmpeg(path)
    } catch ChildProcess.Failure.exited(_, let errors) {
      throw .damaged(path, reason: "ffmpeg says: \(reason(errors))")
    } catch { throw .notReadable(path, reason: "ffmpeg \(error)") }
    let size = (try? FileManager.default.attributesOfItem(atPath: decoded)[.size] as? Int) ?? 0
    guard size > 0, size < mostBytes else {
      throw .damaged(path, reason: "ffmpeg says: \(reason(""))")
    }
    let descriptor = open(decoded, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .notReadable(path, reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  /// The last line of ffmpeg's errors, without memory addresses.
  private static func reason(_ errors: String) -> String {
    let line = errors.components(separatedBy: " / ").last ?? ""
    let text = line.replacing(#/^\[[^\]]*\] /#, with: "")
    return text.isEmpty ? "it can't be decoded" : text
  }
}
