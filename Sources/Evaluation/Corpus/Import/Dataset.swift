import Platform

/// A data set that can be imported: how to recognize it, its licence and its clips.
public struct Dataset: Sendable {
  /// The name to type on the command line.
  public let name: String
  /// Its makers' name for it.
  public let title: String
  /// The SPDX identifier of its licence.
  public let licence: String
  /// True if a licence or readme file of the copy must confirm the licence, which is CC-BY-4.0.
  var licenceNeedsEvidence = false
  public let attribution: String
  /// Path patterns. A folder is the data set if each of them matches a file in it.
  let markers: [String]
  let clips: @Sendable (DatasetFolder) throws -> [DatasetClip]

  public static let all: [Dataset] = [
    .vocadito, .mir1K, .mdbStemSynth, .ptdbTUG, .dagstuhlChoirSet, .esmucChoir,
    .choralSinging, .vocalSet, .gtSinger, .vctk, .libriSpeech, .generic,
  ]

  /// Finds a data set by name.
  ///
  /// - Throws: a `Refusal`, which lists the names.
  public static func named(_ name: String) throws -> Dataset {
    guard let dataset = all.first(where: { $0.name == name.lowercased() }) else {
      throw Refusal(
        "there is no importer for '\(name)'; choose one of \(all.map(\.name).joined(separator: ", "))"
      )
    }
    return dataset
  }

  /// Returns the licence, or `LicenseRef-NAME-unconfirmed` if the copy lacks the evidence for it.
  func confirmedLicence(in folder: DatasetFolder) -> String {
    let isConfirmed = folder.files.contains { path in
      let name = path.split(separator: "/").last?.lowercased() ?? ""
      guard ["licen", "readme", "copying"].contains(where: name.contains),
        let text = try? folder.text(path).lowercased()
      else { return false }
      return ["cc by 4.0", "cc-by-4.0", "attribution 4.0"].contains(where: text.contains)
    }
    return isConfirmed || !licenceNeedsEvidence ? licence : "LicenseRef-\(name)-unconfirmed"
  }

  /// Returns the voice that the name of a singer begins with or holds: `S1`, `EN-Alto-1`, `Tenor-3`.
  static func voice(ofSinger name: String) -> String {
    let voices = ["soprano", "alto", "tenor", "bass"]
    let words = name.lowercased().split { "-#".contains($0) }.map(String.init)
    let letters = words.filter { $0.count == 2 && $0.last?.isNumber == true }.compactMap(\.first)
    return words.first(where: voices.contains)
      ?? voices.first { voice in letters.contains { voice.first == $0 } } ?? "unknown"
  }
}
