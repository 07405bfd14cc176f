import CommandSupport
import Foundation
import Platform

/// Raw 32-bit floats in the machine's byte order, from standard input and to standard output.
struct RawStream {
  private var frameCount = 0
  private var warned = false

  private init() {
    // A closed pipe is reported by `write` instead of ending the program by a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Passes standard input through to standard output block by block: every block is written as soon
  /// as it is complete. It ends with the input, or when the reader closes the pipe.
  ///
  /// - Parameter process: returns the frames to write for a block; stereo is interleaved.
  static func pass(blockSize: Int, _ process: ([Float]) -> [Float]) throws {
    var stream = RawStream()
    var input = [Float](repeating: 0, count: blockSize)
    while true {
      let count = try stream.read(into: &input)
      guard count > 0, try stream.write(process(Array(input.prefix(count)))), count == blockSize
      else { return }
    }
  }

  /// Returns two channels as frames.
  static func interleaved(_ left: [Float], _ right: [Float]) -> [Float] {
    zip(left, right).flatMap { [$0, $1] }
  }

  /// Fills a block as far as there is input; returns its number of samples.
  ///
  /// - Throws: `Refusal` if the input begins like a sound file.
  private mutating func read(into block: inout [Float]) throws -> Int {
    let size = MemoryLayout<Float>.size
    let isFirst = frameCount == 0
    let count = try block.withUnsafeMutableBytes { bytes in
      var filled = 0
      while filled < bytes.count {
        let got = unsafe Foundation.read(
          STDIN_FILENO, bytes.baseAddress! + filled, bytes.count - filled)
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw Refusal(doing: "reading standard input", errno) }
        if got == 0 { break }
        filled += got
      }
      if isFirst { try Self.refuseFile(beginning: Array(bytes.prefix(min(filled, 4)))) }
      if filled % size != 0 {
        Terminal.printError(
          "warning: standard input ends inside a sample; its last \(filled % size) bytes are "
            + "ignored")
      }
      return filled / size
    }
    for i in 0..<count where !block[i].isFinite {
      if !warned {
        Terminal.printError(
          "warning: standard input has a sample that is not a finite number, at frame "
            + "\(frameCount + i); such samples are taken as 0")
      }
      warned = true
      block[i] = 0
    }
    frameCount += count
    return count
  }

  /// Refuses the first bytes of a sound file. As floats they are far above any sample: 225 for "fLaC",
  /// and more for the others.
  private static func refuseFile(beginning bytes: [UInt8]) throws {
    let names = [
      "RIFF": "WAV", "RIFX": "WAV", "RF64": "WAV", "BW64": "WAV", "FORM": "AIFF", "fLaC": "FLAC",
      "OggS": "Ogg", "caff": "CAF", ".snd": "AU", "riff": "W64",
    ]
    if let format = names[String(decoding: bytes, as: UTF8.self)] {
      throw Refusal(
        "standard input is a \(format) file, not raw 32-bit floats; name the file instead of "
          + "--stream, or convert it: ffmpeg -i FILE -ac 1 -f f32le -")
    }
  }

  /// Writes samples to standard output.
  ///
  /// - Returns: false if the pipe was closed.
  private func write(_ samples: [Float]) throws -> Bool {
    try samples.withUnsafeBytes { bytes in
      guard let failure = DescriptorWriting.write(bytes, to: STDOUT_FILENO) else { return true }
      guard failure == EPIPE else { throw Refusal(doing: "writing standard output", failure) }
      return false
    }
  }
}

extension Refusal {
  /// A pipe that can't be read or written.
  fileprivate init(doing what: String, _ code: Int32) {
    self.init("\(what) failed: \(String(cString: strerror(code))); check both ends of the pipe")
  }
}
