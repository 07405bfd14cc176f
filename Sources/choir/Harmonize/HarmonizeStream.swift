import CommandSupport
import Foundation
import Harmonizer
import Instrument
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
    var stream = RawStream()
    let channelCount = isStereo || around.after != nil ? 2 : 1
    var input = [Float](repeating: 0, count: blockSize)
    var (left, right) = (input, input)
    let silence = input
    var clicks = input
    var frames = [Float](repeating: 0, count: channelCount * blockSize)
    while true {
      let count = try stream.read(into: &input)
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
      guard try stream.write(frames, count: channelCount * count) else { return }
      if count < blockSize { return }
    }
  }
}
