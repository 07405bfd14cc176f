import Analyzer
import DSP
import Files
import Foundation
import Pages

/// Pitch, formants, spectrogram and level of one recording as a single SVG file.
public struct VoicePicture: Sendable {
  /// The picture as a drawing of a page.
  let drawing: Drawing

  /// - Throws: errors of reading the sound.
  public init(
    of sound: some SoundSource, _ profile: VoiceProfile, id: String = "voice", title: String,
    command: String = "choir-eval analyze --plot"
  ) throws {
    let spectrogram = try Spectrogram(of: sound)
    let track = profile.track
    // Skips frames that a drawing could not tell apart.
    let every = max(1, track.count / VoicePlot.mostFrames)
    let half = Int(0.010 * sound.sampleRateHz)
    var frames: [VoicePlot.Frame] = []
    for index in stride(from: 0, to: track.count, by: every) {
      let hz = track.f0Hz[index]
      let time = Double(index) * track.hopSeconds
      let centre = Int(time * sound.sampleRateHz)
      let near = max(0, centre - half)..<max(0, min(sound.count, centre + half))
      frames.append(
        VoicePlot.Frame(
          timeS: time, pitchHz: hz > 0 ? hz : nil,
          formantsHz: (1...4).map { number in
            guard hz > 0, let formants = profile.formants, index < formants.count else {
              return nil
            }
            return formants.frames[index][number]?.frequencyHz
          }, levelDbfs: near.isEmpty ? nil : Self.levelDbfs(try sound.samples(near))))
    }
    drawing = Drawing(
      id: id, title: title,
      shows: "Pitch and formants over the spectrogram, with the level below.",
      omits: "formants of unvoiced frames.", command: command,
      plot: .voice(
        VoicePlot(
          picture: .init(
            hopS: spectrogram.hopSeconds, frequenciesHz: spectrogram.frequenciesHz,
            levelsDb: spectrogram.levelsDb), frames: frames)))
  }

  /// Writes the picture to `url` and replaces an existing file; a failure leaves the old one.
  ///
  /// - Throws: `PlotError`.
  public func write(to url: URL) throws {
    let folder = Scratch.folder
      .appendingPathComponent("voice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try DrawingWriter().write(drawing, to: folder)
    let drawn = try Data(contentsOf: folder.appendingPathComponent("\(drawing.id).svg"))
    try drawn.write(to: url, options: .atomic)
  }

  /// Level of the samples; `nil` in digital silence.
  private static func levelDbfs(_ samples: [Float]) -> Double? {
    let power =
      samples.reduce(0.0) { $0 + ($1.isFinite ? Double($1) * Double($1) : 0) }
      / Double(samples.count)
    return power > 1e-12 ? 10 * log10(power) : nil
  }
}
