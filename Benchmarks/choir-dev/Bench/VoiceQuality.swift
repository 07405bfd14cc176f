import Analyzer
import ArgumentParser
import DSP
import Foundation

/// The toolkit's side of `scripts/peers/voice.py`: harmonicity, cepstral prominence, jitter and
/// shimmer.
struct VoiceQuality: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voice", abstract: "Print voice quality as JSON for scripts/peers/voice.py.")

  @Argument(help: "Recordings, as raw 32-bit floats at 48 kHz.") var files: [String]

  func run() throws {
    let rows = try files.map { path -> [String: Double] in
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      return try Self.row(Signal(samples, sampleRateHz: 48_000))
    }
    print(String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
  }

  private static func row(_ signal: Signal) throws -> [String: Double] {
    let marks = PeriodMarks(of: signal, following: try PitchTracker().track(signal))
    let shimmerDb = Perturbation.shimmerDb(
      amplitudes: Perturbation.amplitudes(of: signal, at: marks))
    let values: [String: Double?] = [
      "hnrDb": Harmonicity(of: signal).meanDecibels,
      "cppsDb": CepstralProminence(of: signal, .speech).meanDecibels,
      "jitterLocal": Perturbation.jitter(periods: marks.periods).map { 100 * $0 },
      "shimmerLocalDb": shimmerDb,
    ]
    return values.compactMapValues { $0 }
  }
}
