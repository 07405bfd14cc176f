import AudioFile
import DSP
import Foundation
import Harmonizer
import Music
import Platform
import Subjects

/// A change of a project that is being saved: the content as it is on disk now, and the files to add.
public struct ProjectChange {
  public var file: ProjectFile
  private let project: Project
  private let draft: Draft
  fileprivate var moves: [Draft.Move] = []

  fileprivate init(_ file: ProjectFile, of project: Project, in draft: Draft) {
    (self.file, self.project, self.draft) = (file, project, draft)
  }

  /// Copies a file into the project; one that lies there already, and that no item uses, stays.
  ///
  /// - Returns: its path in the project. An existing file keeps its name; the new one gets a number.
  mutating func copy(_ url: URL, into item: ProjectItem) throws -> String {
    let folder = project.url(of: item.folder).resolvingSymlinksInPath().path + "/"
    let path = url.resolvingSymlinksInPath().path
    if path.hasPrefix(folder) {
      let own = "\(item.folder)/\(path.dropFirst(folder.count))"
      if !file.files(of: item).contains(where: { $0.file == own }) { return own }
    }
    return try stage(item, url.lastPathComponent) {
      // The target of a link, not the link.
      try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: $0)
    }
  }

  mutating func stage(
    _ item: ProjectItem, _ name: String, _ write: (URL) throws -> Void
  ) throws -> String {
    let path = project.freePath(item, name) { path in
      !moves.contains { $0.to == path } && !file.files(of: item).contains { $0.file == path }
    }
    let staged = "\(moves.count)"
    try write(draft.folder.appendingPathComponent(staged))
    moves.append(Draft.Move(from: staged, to: path))
    return path
  }

  /// The project's preset of that name.
  fileprivate func preset(_ name: ProjectName) throws(ProjectError) -> Preset? {
    guard let stored = file.presets.first(where: { $0.name == name }) else { return nil }
    return try project.preset(of: stored)
  }

  fileprivate mutating func store(_ preset: Preset, as name: ProjectName) throws {
    let json = try preset.json
    let path = try stage(.preset, "\(name).json") { try json.write(to: $0) }
    file.presets.append(.init(name: name, file: path))
  }

  /// Throws if the project has an item of that name.
  fileprivate func refuse(_ item: ProjectItem, _ name: ProjectName) throws(ProjectError) {
    if file.names(of: item).contains(name) { throw .itemExists(item, name, project: project.name) }
  }

  /// Throws unless the project has an item of that name.
  fileprivate func require(_ item: ProjectItem, _ name: ProjectName) throws(ProjectError) {
    let names = file.names(of: item)
    guard names.contains(name) else {
      throw .itemMissing(
        item, name.description, project: project.name, others: names.map(\.description))
    }
  }
}

extension Project {
  /// Changes the project and saves it: completely or, if anything fails or the process is killed, not
  /// at all.
  ///
  /// The change starts from what is on disk now, and no other process saves meanwhile.
  public mutating func save(_ change: (inout ProjectChange) throws -> Void) throws(ProjectError) {
    let place = url(of: Self.fileName)
    do {
      let draft = try Draft("save", in: folder, of: folder)
      defer { draft.discard() }
      var saved = file
      try draft.publish {
        var changed = ProjectChange(try ProjectFile(reading: place), of: self, in: draft)
        try change(&changed)
        let text = try changed.file.text()
        do { saved = try ProjectFile.parsed(text) } catch let problem as YAMLProblem {
          throw ProjectError.damaged(path: place.path, problem: problem.text)
        }
        try Data(text.utf8).write(to: draft.folder.appendingPathComponent(Self.fileName))
        return changed.moves + [Draft.Move(from: Self.fileName, to: Self.fileName)]
      }
      file = saved
    } catch { throw ProjectError.writing(folder, error) }
  }

  // MARK: - Adding

  /// Adds a sound file with the part of it to play.
  public mutating func add(
    recording url: URL, as name: ProjectName, sample: Sample.Settings = Sample.Settings()
  ) throws(ProjectError) {
    // Refuses a file that is no sound, and a crop that holds nothing.
    do { _ = try Sample(AudioFile(reading: url.path).mono, sample) } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
    try save { change in
      try change.refuse(.recording, name)
      let file = try change.copy(url, into: .recording)
      change.file.recordings.append(.init(name: name, file: file, sample: sample))
    }
  }

  /// Adds a preset under its own name.
  public mutating func add(_ preset: Preset, as name: ProjectName) throws(ProjectError) {
    try save { change in
      try change.refuse(.preset, name)
      try change.store(preset, as: name)
    }
  }

  /// Adds a MIDI file, or a score in YAML.
  public mutating func add(sequence url: URL, as name: ProjectName) throws(ProjectError) {
    let score: Score
    do { score = try Self.score(at: url) } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
    if !Self.isMIDI(url), case .midi(let file, _) = score.form {
      throw .content(
        path: url.path,
        problem: Cause(Refusal("names the MIDI file \(file); add that file itself instead")))
    }
    try save { change in
      try change.refuse(.sequence, name)
      let file = try change.copy(url, into: .sequence)
      change.file.sequences.append(.init(name: name, file: file))
    }
  }

  /// Adds a take of items that the project has.
  ///
  /// - Parameter preset: the take's preset, to be added unless the project has it.
  public mutating func add(
    _ take: ProjectFile.Take, bringing preset: Preset? = nil
  ) throws(ProjectError) {
    try save { change in
      try change.refuse(.take, take.name)
      if let preset, let name = take.preset, try change.preset(name) != preset {
        try change.refuse(.preset, name)
        try change.store(preset, as: name)
      }
      for (item, name) in take.parts {
        try change.require(item, name)
      }
      if let problem = take.problem {
        throw ProjectError.take(take.name, problem: Cause(Refusal(problem.text)))
      }
      change.file.takes.append(take)
    }
  }

  // MARK: - Changing

  /// Sets the part of a recording that is played.
  public mutating func setSample(
    _ sample: Sample.Settings, ofRecording name: ProjectName
  ) throws(ProjectError) {
    let recording = try recording(name.description)
    let url = try existing(recording.file, .recording, name)
    do { _ = try Sample(AudioFile(reading: url.path).mono, sample) } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
    try save { change in
      for index in change.file.recordings.indices where change.file.recordings[index].name == name {
        change.file.recordings[index].sample = sample
      }
    }
  }

  /// Gives a recording another file, such as one that goes on. The part that is played stays.
  public mutating func replace(recording name: ProjectName, by url: URL) throws(ProjectError) {
    let old = try recording(name.description).file
    try save { change in
      try change.require(.recording, name)
      let file = try change.copy(url, into: .recording)
      for index in change.file.recordings.indices where change.file.recordings[index].name == name {
        change.file.recordings[index].file = file
      }
    }
    if !file.files(of: .recording).contains(where: { $0.file == old }) {
      unlink(self.url(of: old).path)
    }
  }

  /// Renames an item, and its name in the takes that use it.
  public mutating func rename(
    _ item: ProjectItem, _ old: ProjectName, to new: ProjectName
  ) throws(ProjectError) {
    try save { change in
      try change.require(item, old)
      guard new != old else { return }
      try change.refuse(item, new)
      change.file.rename(item, old, to: new)
    }
  }

  /// Removes an item and its file.
  ///
  /// - Throws: `ProjectError.inUse` if a take needs it.
  public mutating func remove(_ item: ProjectItem, _ name: ProjectName) throws(ProjectError) {
    var unused: [String] = []
    try save { change in
      try change.require(item, name)
      let takes = change.file.takes(using: item, name)
      guard takes.isEmpty else { throw ProjectError.inUse(item, name, takes: takes) }
      let files = change.file.files(of: item)
      let own = files.filter { $0.name == name }.map(\.file)
      unused = own.filter { file in !files.contains { $0.file == file && $0.name != name } }
      change.file.remove(item, name)
    }
    // A process that is killed here leaves a file that nothing uses; `unusedFiles` lists it.
    for path in unused { unlink(url(of: path).path) }
  }
}

extension ProjectFile {
  fileprivate mutating func rename(_ item: ProjectItem, _ old: ProjectName, to new: ProjectName) {
    func renamed(_ name: ProjectName) -> ProjectName { name == old ? new : name }
    switch item {
    case .recording:
      for index in recordings.indices { recordings[index].name = renamed(recordings[index].name) }
      for index in takes.indices { takes[index].recording = renamed(takes[index].recording) }
    case .preset:
      for index in presets.indices { presets[index].name = renamed(presets[index].name) }
      for index in takes.indices { takes[index].preset = takes[index].preset.map(renamed) }
    case .sequence:
      for index in sequences.indices { sequences[index].name = renamed(sequences[index].name) }
      for index in takes.indices { takes[index].sequence = takes[index].sequence.map(renamed) }
    case .take:
      for index in takes.indices { takes[index].name = renamed(takes[index].name) }
    }
  }

  fileprivate mutating func remove(_ item: ProjectItem, _ name: ProjectName) {
    switch item {
    case .recording: recordings.removeAll { $0.name == name }
    case .preset: presets.removeAll { $0.name == name }
    case .sequence: sequences.removeAll { $0.name == name }
    case .take: takes.removeAll { $0.name == name }
    }
  }
}
