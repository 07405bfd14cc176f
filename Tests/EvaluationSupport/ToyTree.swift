import AudioFile
import Foundation

/// A temporary folder of made-up files that is removed with the object.
package final class ToyTree {
  package let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("toy-\(UUID().uuidString)")

  package init() {
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes a text with the line ends of Windows.
  package func text(_ name: String, _ lines: String...) {
    data(name, Data(lines.map { $0 + "\r\n" }.joined().utf8))
  }

  package func data(_ name: String, _ bytes: Data) {
    let file = path(name)
    try! FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try! bytes.write(to: file)
  }

  /// Writes a sound with a constant level in each channel; levels of 1/2^n are exact in 16 bits. Its
  /// last frame depends on the name, so that no two sounds are the same.
  package func sound(
    _ name: String, seconds: Double, levels: [Float] = [0.25], rateHz: Double = 8000
  ) {
    data(name, Data())
    let count = Int(seconds * rateHz)
    let mark = name.utf8.reduce(0) { (31 * $0 + Int($1)) % 1021 }
    try! AudioFile(
      channels: levels.map {
        [Float](repeating: $0, count: count - 1) + [Float(mark) / 32_768]
      }, sampleRateHz: rateHz
    ).write(to: path(name).path)
  }

  /// The content of every file, by path.
  package var files: [String: Data] {
    let names = FileManager.default.enumerator(atPath: url.path)!.compactMap { $0 as? String }
    return names.reduce(into: [:]) { files, name in
      files[name] = try? Data(contentsOf: path(name))
    }
  }
}
