import Foundation
import Platform

/// A project: its folder, and the content of its `project.yaml`.
///
/// The folder holds `project.yaml`, and `recordings`, `presets`, `sequences` and `takes` for the files.
/// The folder's name is the project's name. A value is what was read last; `save` changes the folder
/// and the value together.
public struct Project: Sendable {
  public let folder: URL
  public internal(set) var file: ProjectFile

  /// File name of the content.
  static let fileName = "project.yaml"
  static let subfolders = ProjectItem.allCases.map(\.folder)

  public let name: ProjectName

  /// Opens the project in a folder; first finishes or removes what a killed process left.
  public init(opening folder: URL) throws(ProjectError) {
    name = try ProjectName(folder.lastPathComponent)
    self.folder = folder
    for place in [folder, folder.appendingPathComponent(ProjectItem.take.folder)] {
      Draft.recover(in: place, of: place)
    }
    file = try ProjectFile(reading: folder.appendingPathComponent(Self.fileName))
  }

  /// Place of a file of the project.
  public func url(of path: String) -> URL { folder.appendingPathComponent(path) }

  /// A path that no file of the project has: `recordings/lead.wav`, or else `recordings/2/lead.wav`.
  ///
  /// - Parameter isFree: refuses further paths.
  func freePath(
    _ item: ProjectItem, _ name: String, where isFree: (String) -> Bool = { _ in true }
  ) -> String {
    func isUnused(_ path: String) -> Bool {
      !FileManager.default.fileExists(atPath: url(of: path).path) && isFree(path)
    }
    let plain = "\(item.folder)/\(name)"
    if isUnused(plain) { return plain }
    return (2...).lazy.map { "\(item.folder)/\($0)/\(name)" }.first(where: isUnused)!
  }

  /// Place for a file to be recorded into the project and then added, with its folder.
  public func placeForRecording(_ name: ProjectName) throws(ProjectError) -> URL {
    let place = url(of: freePath(.recording, "\(name).wav"))
    let folder = place.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch { throw .writing(folder, error) }
    return place
  }

  // MARK: - Items

  public func recording(_ name: String) throws(ProjectError) -> ProjectFile.Recording {
    try find(.recording, name, file.recordings, \.name)
  }

  public func preset(_ name: String) throws(ProjectError) -> ProjectFile.StoredFile {
    try find(.preset, name, file.presets, \.name)
  }

  public func sequence(_ name: String) throws(ProjectError) -> ProjectFile.StoredFile {
    try find(.sequence, name, file.sequences, \.name)
  }

  public func take(_ name: String) throws(ProjectError) -> ProjectFile.Take {
    try find(.take, name, file.takes, \.name)
  }

  private func find<Item>(
    _ item: ProjectItem, _ name: String, _ items: [Item], _ path: KeyPath<Item, ProjectName>
  ) throws(ProjectError) -> Item {
    let wanted = name.precomposedStringWithCanonicalMapping
    guard let found = items.first(where: { $0[keyPath: path].description == wanted }) else {
      throw .itemMissing(
        item, name, project: self.name, others: items.map { $0[keyPath: path].description })
    }
    return found
  }

  // MARK: - Files

  /// Items whose files are not there.
  public var missingFiles: [(item: ProjectItem, name: ProjectName, file: String)] {
    ProjectItem.allCases.flatMap { item in
      file.files(of: item).filter { !FileManager.default.fileExists(atPath: url(of: $0.file).path) }
        .map { (item, $0.name, $0.file) }
    }
  }

  /// Returns the place of an item's file.
  ///
  /// - Throws: `ProjectError.fileMissing`.
  func existing(
    _ path: String, _ item: ProjectItem, _ name: ProjectName
  ) throws(ProjectError) -> URL {
    let url = url(of: path)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw .fileMissing(path: url.path, item, name)
    }
    return url
  }
}
