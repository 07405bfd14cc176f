import CommandSupport
import Foundation
import Harmonizer

/// A preset in a pipe: raw 32-bit floats from standard input to standard output, block by block, mono
/// in and interleaved stereo out.
struct PlayerStream {
  let player: PresetPlayer
  let blockSize: Int

  func run() throws {
    var stream = RawStream()
    Terminal.printError("latency \(player.latencySamples) frames")
    var input = [Float](repeating: 0, count: blockSize)
    while true {
      let count = try stream.read(into: &input)
      guard count > 0 else { return }
      var left = Array(input.prefix(count))
      var right = left
      player.process(&left, &right, blockSize: blockSize)
      let frames = zip(left, right).flatMap { [$0, $1] }
      guard try stream.write(frames, count: frames.count), count == blockSize else {
        return
      }
    }
  }
}
