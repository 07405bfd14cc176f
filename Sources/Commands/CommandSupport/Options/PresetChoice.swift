import ArgumentParser
import Foundation
import Harmonizer
import Platform

/// The preset that a flag names.
package enum PresetChoice {
  /// Returns a built-in preset, or that of a JSON file, NAME.json.
  ///
  /// - Parameter flag: the flag that named it; `nil` for an argument.
  package static func preset(named name: String, by flag: String? = "--preset") throws -> Preset {
    let flag = flag.map { "\($0): " } ?? ""
    if name.hasSuffix(".json") {
      guard let data = try? GivenFile.data(at: URL(fileURLWithPath: name)) else {
        throw ValidationError("\(flag)\(name) can't be read; check the path.")
      }
      do { return try Preset(json: data) } catch let error as DecodingError {
        let words = error.text(in: String(decoding: data, as: UTF8.self))
        throw ValidationError("\(flag)\(name): \(words)")
      } catch { throw ValidationError("\(flag)\(name): \(error)") }
    }
    guard let preset = PresetBank.preset(named: name) else {
      throw ValidationError(
        "\(flag)there is no preset '\(name)'; choose "
          + PresetBank.all.map(\.name).joined(separator: ", ") + ", or a JSON file.")
    }
    return preset
  }
}
