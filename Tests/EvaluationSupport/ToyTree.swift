import AudioFile
import Foundation

/// A folder of made-up files, gone when the test is over.
package final class ToyTree {
  package let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("toy-\(UUID().uuidString)")

  package init() {
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// A text whose lines end as Windows ends them.
  package func text(_ name: String, _ lines: String...) {
    data(name, Data(lines.map { $0 + "\r\n" }.joined().utf8))
  }

  package func data(_ name: String, _ bytes: Data) {
    let file = path(name)
    try! FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try! bytes.write(to: file)
  }

  /// A sound with one constant level in each channel; levels of 1/2^n survive 16 bits exactly.
  package func sound(
    _ name: String, seconds: Double, levels: [Float] = [0.25], rateHz: Double = 8000
  ) {
    data(name, Data())
    let count = Int(seconds * rateHz)
    try! AudioFile(
      channels: levels.map { [Float](repeating: $0, count: count) }, sampleRateHz: rateHz
    ).write(to: path(name).path)
  }

  /// Every file below, by path.
  package var files: [String: Data] {
    let names = FileManager.default.enumerator(atPath: url.path)!.compactMap { $0 as? String }
    return names.reduce(into: [:]) { files, name in
      files[name] = try? Data(contentsOf: path(name))
    }
  }
}
