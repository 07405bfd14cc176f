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
    var harmonicity = Harmonicity.Settings()
    let cc = try Harmonicity(of: signal, harmonicity).meanDecibels
    harmonicity.method = .autocorrelation
    let ac = try Harmonicity(of: signal, harmonicity).meanDecibels
    var cepstral = CepstralProminence.Settings()
    let cpps = try CepstralProminence(of: signal, cepstral).meanDecibels
    cepstral.isSmoothed = false
    let cpp = try CepstralProminence(of: signal, cepstral).meanDecibels
    let marks = PeriodMarks(of: signal, following: try PitchTracker().track(signal))
    let (jitter, shimmer) = (Jitter(of: marks), Shimmer(of: signal, at: marks))
    let values: [String: Double?] = [
      "hnrAcDb": ac, "hnrCcDb": cc, "cppDb": cpp, "cppsDb": cpps,
      "jitterLocal": jitter.local.map { 100 * $0 }, "jitterRap": jitter.rap.map { 100 * $0 },
      "jitterPpq5": jitter.ppq5.map { 100 * $0 }, "shimmerLocal": shimmer.local.map { 100 * $0 },
      "shimmerApq3": shimmer.apq3.map { 100 * $0 }, "shimmerApq11": shimmer.apq11.map { 100 * $0 },
    ]
    return values.compactMapValues { $0 }
  }
}
