import CommandSupport
import Foundation
import Harmonizer
import Rendering
import Subjects

/// A choir in a pipe: raw 32-bit floats from standard input to standard output, block by block.
///
/// Every block is written as soon as it is complete, with as many frames as came in; stereo is
/// interleaved. The stream ends with its input, or when its reader closes the pipe.
struct HarmonizeStream {
  let isStereo: Bool
  let blockSize: Int
  var around = AroundEffects()

  /// - Parameter click: a metronome to add.
  func run(_ choir: consuming ScoredChoir, click: consuming Metronome? = nil) throws {
    // A closed pipe is reported by `write` instead of ending the program by a signal.
    signal(SIGPIPE, SIG_IGN)
    let channelCount = isStereo || around.after != nil ? 2 : 1
    var input = [Float](repeating: 0, count: blockSize)
    var (left, right) = (input, input)
    let silence = input
    var clicks = input
    var frames = [Float](repeating: 0, count: channelCount * blockSize)
    while true {
      let count = try Self.read(into: &input)
      guard count > 0 else { return }
      around.tune(&input, count: count)
      do {
        var leftWhole = left.mutableSpan
        var rightWhole = right.mutableSpan
        var leftPart = leftWhole._mutatingExtracting(0..<count)
        var rightPart = rightWhole._mutatingExtracting(0..<count)
        var none = MutableSpan<Float>()
        let block = input.span.extracting(0..<count)
        if isStereo {
          choir.process(block, intoLeft: &leftPart, right: &rightPart, stems: &none)
        } else {
          choir.process(block, into: &leftPart, stems: &none)
        }
      }
      around.finish(&left, &right, count: count, isStereo: isStereo)
      if click != nil {
        var clicksWhole = clicks.mutableSpan
        var clicksPart = clicksWhole._mutatingExtracting(0..<count)
        click?.process(silence.span.extracting(0..<count), into: &clicksPart)
        for i in 0..<count { (left[i], right[i]) = (left[i] + clicks[i], right[i] + clicks[i]) }
      }
      for i in 0..<count {
        frames[channelCount * i] = left[i]
        if channelCount == 2 { frames[2 * i + 1] = right[i] }
      }
      guard try Self.write(frames, count: channelCount * count) else { return }
      if count < blockSize { return }
    }
  }

  /// Fills a block as far as there is input; returns its number of samples.
  static func read(into block: inout [Float]) throws -> Int {
    let size = MemoryLayout<Float>.size
    return try block.withUnsafeMutableBytes { bytes in
      var filled = 0
      while filled < bytes.count {
        let got = unsafe Foundation.read(
          STDIN_FILENO, bytes.baseAddress! + filled, bytes.count - filled)
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw StreamProblem(doing: "reading standard input", errno) }
        if got == 0 { break }
        filled += got
      }
      if filled % size != 0 {
        Terminal.printError(
          "warning: standard input ends inside a sample; its last \(filled % size) bytes are "
            + "ignored")
      }
      return filled / size
    }
  }

  /// Writes samples to standard output.
  ///
  /// - Returns: false if the pipe was closed.
  static func write(_ samples: [Float], count: Int) throws -> Bool {
    try samples.withUnsafeBytes { bytes in
      let total = count * MemoryLayout<Float>.size
      var written = 0
      while written < total {
        let took = unsafe Foundation.write(
          STDOUT_FILENO, bytes.baseAddress! + written, total - written)
        if took < 0, errno == EINTR { continue }
        if took < 0, errno == EPIPE { return false }
        guard took > 0 else { throw StreamProblem(doing: "writing standard output", errno) }
        written += took
      }
      return true
    }
  }
}

/// A failed read or write of a pipe.
struct StreamProblem: Error, CustomStringConvertible {
  let description: String

  init(doing what: String, _ code: Int32) {
    description = "\(what) failed: \(String(cString: strerror(code))); check both ends of the pipe"
  }
}
