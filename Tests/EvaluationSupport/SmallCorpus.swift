import AudioFile
import DSP
import Foundation
import TestSupport

@testable import Corpus
@testable import Platform

extension TemporaryFolder {
  package static let manifestHeader = "id,file,source,sha256,licence,attribution,voice,kind,shows\n"

  /// Creates a corpus of these rows, each in a folder of its own, and returns its folder.
  package func corpus(rows: [String]) throws -> URL {
    let name = "corpus-\(UUID())"
    let text = ([ManifestEntry.columns.joined(separator: ",")] + rows).joined(separator: "\n")
    try write(text + "\n", to: "\(name)/manifest.csv")
    try FileManager.default.createDirectory(
      at: file("\(name)/audio"), withIntermediateDirectories: true)
    return file(name)
  }

  /// Creates a corpus of a buzz of half a second at 150 Hz and the impulse probe.
  package func corpus(extraRows: String = "") throws -> Corpus {
    let folder = file("Corpus")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("audio"), withIntermediateDirectories: true)
    let sound = folder.appendingPathComponent("audio/buzz.wav")
    try Signal((0..<24_000).map { buzz($0) }, sampleRateHz: 48_000).write(to: sound.path)
    let digest = try Digest.sha256(ofFile: sound)
    try write(
      Self.manifestHeader
        + "buzz,buzz.wav,test,\(digest),CC0-1.0,nobody,tenor,sung,a buzz\n"
        + "probe,,synthetic:impulses,,CC0-1.0,nobody,none,probe,impulses\n" + extraRows,
      to: "Corpus/manifest.csv")
    return try Corpus(folder: folder)
  }

  /// Returns a sample of twelve harmonics of 150 Hz that fade in and out, so that there is an onset.
  private func buzz(_ n: Int) -> Float {
    let time = Double(n) / 48_000
    let fade = min(1, min(time, 0.5 - time) / 0.05)
    let sum = (1...12).reduce(0.0) { $0 + sin(2 * .pi * 150 * Double($1) * time) / Double($1) }
    return Float(0.2 * fade * sum)
  }
}

/// A plan of four cells on the corpus of `TemporaryFolder.corpus`.
package let smallPlan = """
  name: small
  title: Two windows
  subject: reference
  recordings: [buzz, probe]
  scores:
    - id: third
      intervalsSemitones: [4]
  settings:
    engine: [delayline]
    windowMs: [10, 20]
    crossfadeMs: [5]
  """

/// A plan of four quick cells, without the probe, which lasts longer than all of them.
package let buzzPlan = smallPlan.replacing("[buzz, probe]", with: "[buzz]")
  .replacing("[10, 20]", with: "[10, 20, 30, 40]")
