import Foundation
import Platform

/// A folder of projects.
///
/// Every change is atomic: a process that is killed at any moment leaves the state before or the state
/// after it, and the next process that looks removes what is left over. Two processes may change
/// projects at the same time.
public struct ProjectLibrary: Sendable {
  public let folder: URL

  /// - Parameter folder: created with the first project.
  public init(_ folder: URL) { self.folder = folder }

  /// A project in the list, or the reason why it can't be opened.
  public struct Entry: Sendable {
    public let name: String
    public let project: Result<Project, ProjectError>
    /// Size of all its files.
    public let bytes: Int
    /// Time of the last change.
    public let changed: Date
  }

  /// Lists the projects by name. A folder without `project.yaml` is no project.
  public func entries() -> [Entry] {
    names.map { name in
      let folder = folder.appendingPathComponent(name)
      let (bytes, changed) = Self.sizeAndChange(of: folder)
      return Entry(
        name: name,
        project: Result { () throws(ProjectError) in try Project(opening: folder) },
        bytes: bytes, changed: changed)
    }
  }

  private static func sizeAndChange(of folder: URL) -> (bytes: Int, changed: Date) {
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey, .contentModificationDateKey])
    var found = (bytes: 0, changed: Date.distantPast)
    while let file = files?.nextObject() as? URL {
      let values = try? file.resourceValues(
        forKeys: [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey])
      guard values?.isRegularFile == true else { continue }
      found.bytes += values?.fileSize ?? 0
      found.changed = max(found.changed, values?.contentModificationDate ?? .distantPast)
    }
    return found
  }

  private var names: [String] {
    Draft.recover(in: folder, of: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") && holdsProject($0) }.sorted()
  }

  private func holdsProject(_ name: String) -> Bool {
    FileManager.default.fileExists(
      atPath: folder.appendingPathComponent(name).appendingPathComponent(Project.fileName).path)
  }

  /// Opens a project.
  public func project(named text: String) throws(ProjectError) -> Project {
    let name = try ProjectName(text)
    Draft.recover(in: folder, of: folder)
    guard holdsProject(name.description) else {
      throw .missing(text, folder: folder.relativeToHere, others: names)
    }
    return try Project(opening: place(of: name))
  }

  private func place(of name: ProjectName) -> URL {
    folder.appendingPathComponent(name.description)
  }

  // MARK: - Changes

  /// Creates an empty project.
  @discardableResult
  public func create(_ text: String, title: String? = nil) throws(ProjectError) -> Project {
    let name = try ProjectName(text)
    try publish(name) { place in
      for subfolder in Project.subfolders {
        try FileManager.default.createDirectory(
          at: place.appendingPathComponent(subfolder), withIntermediateDirectories: true)
      }
      try Data(ProjectFile(title: title).text().utf8)
        .write(to: place.appendingPathComponent(Project.fileName))
    }
    return try Project(opening: place(of: name))
  }

  /// Copies a project with all its files.
  @discardableResult
  public func duplicate(_ text: String, as copy: String) throws(ProjectError) -> Project {
    let (original, name) = (try project(named: text), try ProjectName(copy))
    try publish(name) { place in
      // Nobody changes the original meanwhile.
      let gate = try FolderLock(original.folder)
      defer { withExtendedLifetime(gate) {} }
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for item in try FileManager.default.contentsOfDirectory(atPath: original.folder.path)
      where !item.hasPrefix(".") {
        try FileManager.default.copyItem(
          at: original.folder.appendingPathComponent(item), to: place.appendingPathComponent(item))
      }
    }
    return try Project(opening: place(of: name))
  }

  /// Renames a project.
  @discardableResult
  public func rename(_ text: String, to new: String) throws(ProjectError) -> Project {
    let (original, name) = (try project(named: text), try ProjectName(new))
    guard name != original.name else { return original }
    // Both locks, so that neither a new project nor a save comes between.
    let gates: [FolderLock?]
    do { gates = [try FolderLock(folder), try FolderLock(original.folder)] } catch {
      throw .unwritable(path: folder.path, reason: "\(error)")
    }
    defer { withExtendedLifetime(gates) {} }
    try refuseExisting(name)
    guard Foundation.rename(original.folder.path, place(of: name).path) == 0 else {
      throw .unwritable(path: place(of: name).path, reason: String(cString: strerror(errno)))
    }
    return try Project(opening: place(of: name))
  }

  /// Removes a project with all its files.
  public func remove(_ text: String) throws(ProjectError) {
    let name = try ProjectName(text)
    Draft.recover(in: folder, of: folder)
    // A damaged project can be removed too.
    guard holdsProject(name.description) else {
      throw .missing(text, folder: folder.relativeToHere, others: names)
    }
    do {
      // Gone with one move; the draft then deletes the files.
      let draft = try Draft("removed", in: folder, of: folder)
      let bin = draft.folder.appendingPathComponent(name.description)
      guard Foundation.rename(place(of: name).path, bin.path) == 0 else {
        throw ProjectError.unwritable(
          path: place(of: name).path, reason: String(cString: strerror(errno)))
      }
      draft.discard()
    } catch { throw ProjectError.writing(folder, error) }
  }

  /// Prepares a project's folder out of sight and moves it to its place.
  private func publish(_ name: ProjectName, _ prepare: (URL) throws -> Void) throws(ProjectError) {
    try refuseExisting(name)
    do {
      let draft = try Draft("project", in: folder, of: folder)
      defer { draft.discard() }
      try prepare(draft.folder.appendingPathComponent("project"))
      try draft.publish {
        try refuseExisting(name)
        return [Draft.Move(from: "project", to: name.description)]
      }
    } catch { throw ProjectError.writing(folder, error) }
  }

  private func refuseExisting(_ name: ProjectName) throws(ProjectError) {
    guard FileManager.default.fileExists(atPath: place(of: name).path) else { return }
    if holdsProject(name.description) { throw .exists(name, folder: folder.relativeToHere) }
    throw .fileExists(path: place(of: name).relativeToHere)
  }
}

extension ProjectError {
  /// Returns the error itself, or the system's as one of writing to a folder.
  static func writing(_ folder: URL, _ error: any Error) -> ProjectError {
    if let error = error as? ProjectError { return error }
    return .unwritable(path: folder.path, reason: reason(of: error as NSError, in: folder))
  }

  /// The system's words for an error, without Foundation's around them.
  private static func reason(of error: NSError, in folder: URL) -> String {
    if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(error.code))) }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError {
      return reason(of: cause, in: folder)
    }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
    case .fileWriteNoPermission, .fileReadNoPermission: return String(cString: strerror(EACCES))
    case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
    case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
    case .fileWriteFileExists: return String(cString: strerror(EEXIST))
    default:
      // Foundation has no words for a file where a folder is wanted.
      let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return String(cString: strerror(errno)) }
      close(descriptor)
      return error.localizedDescription
    }
  }
}
