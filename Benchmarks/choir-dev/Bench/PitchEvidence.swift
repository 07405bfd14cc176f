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

  func run() throws {
    for path in files {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let sound = Signal(samples, sampleRateHz: 48_000)
      let rows = voicing ? PitchTraining.voicing(of: sound) : PitchTraining.periods(of: sound)
      let values = Array(rows.joined())
      try values.withUnsafeBytes {
        try Data($0).write(to: URL(fileURLWithPath: path + ".evidence"))
      }
    }
  }
}
