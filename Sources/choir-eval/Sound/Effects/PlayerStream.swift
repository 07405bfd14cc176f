import Foundation
import Harmonizer

/// A preset in a pipe: raw 32-bit floats from standard input to standard output, block by block, one
/// channel in, two in turn out.
struct PlayerStream {
  let player: PresetPlayer
  let blockSize: Int

  func run() throws {
    // A reader that went away is told by `write`, not by a signal that kills.
    signal(SIGPIPE, SIG_IGN)
    Terminal.printError("\(player.latencySamples) frames late")
    var input = [Float](repeating: 0, count: blockSize)
    while true {
      let count = try HarmonizeStream.read(into: &input)
      guard count > 0 else { return }
      var left = Array(input.prefix(count))
      var right = left
      player.process(&left, &right, blockSize: blockSize)
      let frames = zip(left, right).flatMap { [$0, $1] }
      guard try HarmonizeStream.write(frames, count: frames.count), count == blockSize else {
        return
      }
    }
  }
}
