/// A data set that can be imported: how to recognize it, its licence and its clips.
public struct Dataset: Sendable {
  /// The name to type on the command line.
  public let name: String
  /// Its makers' name for it.
  public let title: String
  /// The SPDX identifier of its licence.
  public let licence: String
  /// Phrases of the licence, one of which a licence or readme file of the copy must contain; `nil` if
  /// the licence is certain.
  let licenceEvidence: [String]?
  public let attribution: String
  /// Path patterns. A folder is the data set if each of them matches a file in it.
  let markers: [String]
  let clips: @Sendable (DatasetFolder) throws -> [DatasetClip]

  init(
    _ name: String, title: String, licence: String, licenceEvidence: [String]? = nil,
    attribution: String, markers: [String],
    clips: @escaping @Sendable (DatasetFolder) throws -> [DatasetClip]
  ) {
    self.name = name
    self.title = title
    self.licence = licence
    self.licenceEvidence = licenceEvidence
    self.attribution = attribution
    self.markers = markers
    self.clips = clips
  }

  public static let all: [Dataset] = [
    .vocadito, .mir1K, .mdbStemSynth, .ptdbTUG, .dagstuhlChoirSet, .esmucChoir,
    .choralSinging, .vocalSet, .nus48E, .m4Singer, .gtSinger, .vctk, .libriSpeech, .iKala,
    .generic,
  ]

  /// Finds a data set by name.
  ///
  /// - Throws: `ImportError.unknownDataset`, which lists the names.
  public static func named(_ name: String) throws -> Dataset {
    guard let dataset = all.first(where: { $0.name == name.lowercased() }) else {
      throw ImportError.unknownDataset(name: name, known: all.map(\.name))
    }
    return dataset
  }

  /// Returns the licence, or `LicenseRef-NAME-unconfirmed` if the copy lacks the evidence for it.
  func confirmedLicence(in folder: DatasetFolder) -> String {
    guard let licenceEvidence else { return licence }
    let papers = folder.files.filter { path in
      let name = path.split(separator: "/").last?.lowercased() ?? ""
      return ["licen", "readme", "copying"].contains { name.contains($0) }
    }
    let isConfirmed = papers.contains { path in
      guard let text = try? folder.text(path).lowercased() else { return false }
      return licenceEvidence.contains { text.contains($0.lowercased()) }
    }
    return isConfirmed ? licence : "LicenseRef-\(name)-unconfirmed"
  }
}
