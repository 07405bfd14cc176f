import Analyzer
import ArgumentParser
import DSP
import Foundation

/// The toolkit's side of `scripts/train-pitch`.
struct PitchEvidence: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pitch-evidence",
    abstract: "Write what the pitch tracker's networks are fitted on, for scripts/train-pitch.")

  @Argument(help: "Sounds, as raw 32-bit floats at 48 kHz.") var files: [String]
  @Flag(help: "Write the evidence for a voice in place of that for candidate periods.")
  var voicing = false
  @Flag(help: "Write the evidence of the streaming tracker.") var live = false

  func run() throws {
    for (number, path) in files.enumerated() {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let sound = Signal(samples, sampleRateHz: 48_000)
      let rows =
        switch (voicing, live) {
        case (false, false): PitchTraining.periods(of: sound)
        case (true, false): PitchTraining.voicing(of: sound)
        case (false, true): try PitchTraining.livePeriods(of: sound)
        case (true, true):
          try PitchTraining.liveVoicing(of: sound, lookAheadsMs: lookAheads(number))
        }
      let values = Array(rows.joined())
      try values.withUnsafeBytes {
        try Data($0).write(to: URL(fileURLWithPath: path + ".evidence"))
      }
    }
  }

  /// Two of the look-aheads 0, 5 … 25 ms, in turn.
  private func lookAheads(_ number: Int) -> [Double] {
    let first = Double(number % 3) * 5
    return [first, first + 15]
  }
}
