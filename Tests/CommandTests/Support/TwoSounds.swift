import AudioFile
import DSP
import Foundation
import Platform

/// A corpus of two swelling sounds, `a` and `b`, of which the second is a quarter shorter.
enum TwoSounds {
  /// Writes the corpus, a folder that does not exist.
  static func write(to corpus: URL) throws {
    try FileManager.default.createDirectory(
      at: corpus.appendingPathComponent("audio"), withIntermediateDirectories: true)
    var rows = "id,file,source,sha256,licence,attribution,voice,kind,shows\n"
    for (name, length) in [("a", 40_000), ("b", 30_000)] {
      let file = corpus.appendingPathComponent("audio/\(name).wav")
      try Signal(Array(HarmonizeTests.swells.prefix(length)), sampleRateHz: 48_000)
        .write(to: file.path)
      rows +=
        "\(name),\(name).wav,test,\(try Digest.sha256(ofFile: file)),CC0-1.0,nobody,tenor,sung,x\n"
    }
    try Data(rows.utf8).write(to: corpus.appendingPathComponent("manifest.csv"))
  }
}
