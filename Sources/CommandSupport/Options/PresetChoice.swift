import ArgumentParser
import Files
import Foundation
import Harmonizer

/// The preset that a flag names.
package enum PresetChoice {
  /// Returns a built-in preset, or that of a JSON file, NAME.json.
  package static func preset(named name: String) throws -> Preset {
    if name.hasSuffix(".json") {
      guard let data = FileManager.default.contents(atPath: name) else {
        throw ValidationError("--preset: \(name) can't be read; check the path.")
      }
      do { return try Preset(json: data) } catch let error as DecodingError {
        let words = error.words(in: String(decoding: data, as: UTF8.self))
        throw ValidationError("--preset: \(name): \(words)")
      } catch { throw ValidationError("--preset: \(name): \(error)") }
    }
    guard let preset = PresetBank.preset(named: name) else {
      throw ValidationError(
        "--preset: there is no preset '\(name)'; choose "
          + PresetBank.all.map(\.name).joined(separator: ", ") + ", or a JSON file.")
    }
    return preset
  }
}
