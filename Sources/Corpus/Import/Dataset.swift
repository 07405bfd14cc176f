/// A data set that can be imported: how to know it, what may be done with it, and its clips.
public struct Dataset: Sendable {
  /// As typed.
  public let name: String
  /// As its makers call it.
  public let title: String
  /// An SPDX identifier, believed where the data say so too or where we are sure.
  public let licence: String
  /// Words of its licence that a file of the data must hold before it is believed; `nil` where we
  /// are sure of the licence.
  let licenceEvidence: [String]?
  public let attribution: String
  /// Patterns of paths; a folder in which each matches a file is taken for the data set.
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

  /// - Throws: `ImportError.unknownDataset`, which lists those there are.
  public static func named(_ name: String) throws -> Dataset {
    guard let dataset = all.first(where: { $0.name == name.lowercased() }) else {
      throw ImportError.unknownDataset(name: name, known: all.map(\.name))
    }
    return dataset
  }

  /// The licence as far as the copy at hand bears it out.
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
