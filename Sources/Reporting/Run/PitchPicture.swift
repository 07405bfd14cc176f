import Analyzer
import Foundation

/// The pitch of one recording as a single SVG file.
public struct PitchPicture: Sendable {
  private let figure: Figure

  public init(_ track: PitchTrack, title: String) {
    let points = track.f0Hz.enumerated().map { frame, hz in
      CurveFigure.Point(
        Double(frame) * track.hopSeconds, Amount(hz > 0 ? hz : nil, otherwise: "unvoiced"))
    }
    figure = Figure(
      id: "pitch", title: title, shows: "The pitch of the voice, with gaps where there is none.",
      omits: "loudness.", command: "choir-eval analyze --plot",
      drawing: .curve(
        CurveFigure(
          x: Axis("time", unit: "s", including: [0]),
          y: Axis("pitch", unit: "Hz", scale: .logarithmic),
          series: [.init("", points: points, isJoined: true)])))
  }

  /// Replaces what is at `url`; a failure leaves nothing new there.
  ///
  /// - Throws: `PlotError`, also where there is no voice to draw.
  public func write(to url: URL) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pitch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try FigureWriter().write(figure, to: folder)
    let drawn = try Data(contentsOf: folder.appendingPathComponent("pitch.svg"))
    try drawn.write(to: url, options: .atomic)
  }
}
