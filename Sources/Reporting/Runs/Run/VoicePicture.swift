import Foundation
import Platform
import Probes

/// Pitch, formants, spectrogram and level of one recording as a single SVG file.
package struct VoicePicture: Sendable {
  /// The picture as a drawing of a page.
  let drawing: Drawing

  package init(of outline: VoiceOutline, title: String) {
    drawing = Drawing(
      id: "voice", title: title,
      shows: "Pitch and formants over the spectrogram, with the level below.",
      omits: "formants of unvoiced frames.", command: "choir-eval analyze --write picture",
      plot: VoicePlot(outline: outline))
  }

  /// Returns the picture as the text of an SVG file.
  ///
  /// - Throws: a `Refusal`.
  package func svg() throws -> String {
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    try DrawingWriter().write(drawing, to: scratch.url)
    return try GivenFile.text(at: scratch.file("\(drawing.id).svg"))
  }
}
