import CommandSupport
import DSP
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
  func run(_ choir: Box<ScoredChoir>, click: Box<Metronome>? = nil) throws {
    try RawStream.pass(blockSize: blockSize) { input in
      var input = input
      around.tune(&input)
      let silence = [Float](repeating: 0, count: input.count)
      var (left, right, clicks) = (silence, isStereo ? silence : [], silence)
      do {
        var leftSpan = left.mutableSpan
        var rightSpan = right.mutableSpan
        var clickSpan = clicks.mutableSpan
        var none = MutableSpan<Float>()
        choir.value.process(input.span, intoLeft: &leftSpan, right: &rightSpan, stems: &none)
        click?.value.process(silence.span, into: &clickSpan)
      }
      around.finish(&left, &right, isStereo: isStereo)
      for i in left.indices { left[i] += clicks[i] }
      for i in right.indices { right[i] += clicks[i] }
      return right.isEmpty ? left : RawStream.interleaved(left, right)
    }
  }
}
