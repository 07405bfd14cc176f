import Analyzer
import DSP
import Evaluation
import Foundation

/// Pitch, formants, spectrogram and level of one recording as a single SVG file.
public struct VoicePicture: Sendable {
  /// To stand on a page.
  let figure: Figure

  public init(
    of signal: Signal, _ profile: VoiceProfile, id: String = "voice", title: String,
    command: String = "choir-eval analyze --plot"
  ) throws(SettingsError) {
    let spectrogram = try Spectrogram(of: signal)
    let track = profile.track
    let levels = Self.levelsDbfs(of: signal, hopSeconds: track.hopSeconds, count: track.count)
    let frames = track.f0Hz.enumerated().map { index, hz in
      VoiceFigure.Frame(
        timeS: Double(index) * track.hopSeconds, pitchHz: hz > 0 ? hz : nil,
        formantsHz: (1...4).map { number in
          guard hz > 0, index < profile.formants.count else { return nil }
          return profile.formants.frames[index][number]?.frequencyHz
        }, levelDbfs: levels[index])
    }
    figure = Figure(
      id: id, title: title,
      shows: "Pitch and formants over the spectrogram, and the level below.",
      omits: "formants where there is no voice.", command: command,
      drawing: .voice(
        VoiceFigure(
          picture: .init(
            hopS: spectrogram.hopSeconds, frequenciesHz: spectrogram.frequenciesHz,
            levelsDb: spectrogram.levelsDb), frames: frames)))
  }

  /// Replaces what is at `url`; a failure leaves nothing new there.
  ///
  /// - Throws: `PlotError`.
  public func write(to url: URL) throws {
    let folder = Scratch.folder
      .appendingPathComponent("voice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try FigureWriter().write(figure, to: folder)
    let drawn = try Data(contentsOf: folder.appendingPathComponent("\(figure.id).svg"))
    try drawn.write(to: url, options: .atomic)
  }

  /// Of 20 ms around each frame; nil in digital silence.
  private static func levelsDbfs(
    of signal: Signal, hopSeconds: Double, count: Int
  ) -> [Double?] {
    let half = Int(0.010 * signal.sampleRateHz)
    return (0..<count).map { frame in
      let centre = Int(Double(frame) * hopSeconds * signal.sampleRateHz)
      let reach = max(0, centre - half)..<max(0, min(signal.count, centre + half))
      guard !reach.isEmpty else { return nil }
      let power =
        signal.samples[reach].reduce(0.0) { $0 + ($1.isFinite ? Double($1) * Double($1) : 0) }
        / Double(reach.count)
      return power > 1e-12 ? 10 * log10(power) : nil
    }
  }
}
