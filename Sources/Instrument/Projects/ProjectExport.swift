import AudioFile
import Foundation
import Platform

/// Writes takes to files: the mix, a stem for each voice, the truth log, and the notes as MIDI.
///
/// All files appear together when everything is rendered; an interrupted export leaves none.
public struct ProjectExport: Sendable {
  /// The parts of a take that become files.
  public enum Part: String, CaseIterable, Sendable { case mix, stems, truth, midi }

  public var format: AudioFormat
  public var parts: Set<Part>
  /// True replaces files of an earlier export.
  public var replacesFiles = false

  public init(format: AudioFormat = .wav, parts: Set<Part> = Set(Part.allCases)) {
    (self.format, self.parts) = (format, parts)
  }

  /// A file that was written.
  public struct File: Sendable {
    public let take: ProjectName
    public let path: String
    /// Number of samples beyond full scale that were clipped.
    public let clippedSamples: Int
  }

  /// Formats that takes are exported in.
  public static let formats = [AudioFormat.wav, .flac, .mp3]

  /// Exports takes of a project.
  ///
  /// - Parameters:
  ///   - folder: gets a folder for each take; the project's own `takes` unless given.
  ///   - report: called with each take and its rendering.
  public func write(
    _ takes: [ProjectFile.Take], of project: Project, to folder: URL? = nil,
    report: (ProjectFile.Take, RenderedTake) -> Void = { _, _ in }
  ) throws(ProjectError) -> [File] {
    if let problem = format.encoderProblem {
      throw .format("\(format)", problem: "\(problem); choose wav or flac")
    }
    let folder = folder ?? project.url(of: ProjectItem.take.folder)
    // Complete in one move if the folder is new.
    let isNew = !FileManager.default.fileExists(atPath: folder.path)
    let (place, prefix) =
      isNew ? (folder.deletingLastPathComponent(), "\(folder.lastPathComponent)/") : (folder, "")
    do {
      let draft = try Draft("export", in: place, of: place)
      defer { draft.discard() }
      if !replacesFiles { try refuseExisting(takes, in: folder) }
      var files: [File] = []
      for take in takes {
        let rendered = try project.render(take)
        report(take, rendered)
        files += try write(take, rendered, into: draft.folder.appendingPathComponent(prefix)) {
          folder.appendingPathComponent($0)
        }
      }
      try draft.publish {
        if isNew, !FileManager.default.fileExists(atPath: folder.path) {
          return [Draft.Move(from: folder.lastPathComponent, to: folder.lastPathComponent)]
        }
        if !replacesFiles { try refuseExisting(takes, in: folder) }
        return try moves(takes, prefix, from: draft.folder, to: folder)
      }
      if replacesFiles { removeEarlier(than: files, takes, in: folder) }
      return files
    } catch { throw ProjectError.writing(folder, error) }
  }

  /// Moves whole folders where there is none yet, else file by file: other files stay.
  ///
  /// - Parameter prefix: path of `folder` from the draft's root; empty or ending in `/`.
  private func moves(
    _ takes: [ProjectFile.Take], _ prefix: String, from draft: URL, to folder: URL
  ) throws -> [Draft.Move] {
    try takes.flatMap { take in
      let path = prefix + take.name.description
      let target = folder.appendingPathComponent(take.name.description)
      guard FileManager.default.fileExists(atPath: target.path) else {
        return [Draft.Move(from: path, to: path)]
      }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: draft.appendingPathComponent(path).path)
      return files.sorted().map { Draft.Move(from: "\(path)/\($0)", to: "\(path)/\($0)") }
    }
  }

  /// Removes what an earlier export wrote of the same parts and this one did not replace: voices that
  /// the take no longer has, and files of another format.
  private func removeEarlier(than files: [File], _ takes: [ProjectFile.Take], in folder: URL) {
    for take in takes {
      let home = folder.appendingPathComponent(take.name.description)
      let new = Set(
        files.filter { $0.take == take.name }.map { ($0.path as NSString).lastPathComponent })
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
      for name in names where !new.contains(name) && Self.part(of: name).map(parts.contains) == true
      {
        unlink(home.appendingPathComponent(name).path)
      }
    }
  }

  /// Returns the part that a file of an export holds, by its name; `nil` for another file.
  private static func part(of name: String) -> Part? {
    if name == "truth.json" { return .truth }
    if name == "notes.mid" { return .midi }
    let halves = name.split(separator: ".", maxSplits: 1)
    guard halves.count == 2, formats.contains(where: { $0.extensions[0] == halves[1] }) else {
      return nil
    }
    if halves[0] == "mix" { return .mix }
    return halves[0].wholeMatch(of: /voice\d+/) == nil ? nil : .stems
  }

  private func refuseExisting(_ takes: [ProjectFile.Take], in folder: URL) throws(ProjectError) {
    for take in takes {
      let target = folder.appendingPathComponent(take.name.description)
      let files = (try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []
      if let file = files.sorted().first {
        throw .fileExists(path: target.appendingPathComponent(file).relativeToHere)
      }
    }
  }

  private func write(
    _ take: ProjectFile.Take, _ rendered: RenderedTake, into folder: URL, place: (String) -> URL
  ) throws -> [File] {
    let home = folder.appendingPathComponent(take.name.description)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    var files: [File] = []
    func add(_ name: String, _ write: (String) throws -> Int) throws {
      let clipped = try write(home.appendingPathComponent(name).path)
      let path = place("\(take.name)/\(name)").relativeToHere
      files.append(File(take: take.name, path: path, clippedSamples: clipped))
    }
    let ending = format.extensions[0]
    if parts.contains(.mix) { try add("mix.\(ending)") { try rendered.mix.write(to: $0) } }
    if parts.contains(.stems) {
      for (index, stem) in rendered.stems.enumerated() {
        try add("voice\(index + 1).\(ending)") { try AudioFile(stem).write(to: $0) }
      }
    }
    if parts.contains(.truth), let log = rendered.log {
      try add("truth.json") {
        try JSONEncoder.canonical.encode(log).write(to: URL(fileURLWithPath: $0))
        return 0
      }
    }
    if parts.contains(.midi), let midi = rendered.midi {
      try add("notes.mid") {
        try midi.write(to: $0)
        return 0
      }
    }
    return files
  }
}
