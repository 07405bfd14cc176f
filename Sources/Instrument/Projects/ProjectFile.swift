import Effects
import Harmonizer
import Music

/// The content of `project.yaml`: what a project has, and how its takes are made.
///
/// Paths are relative to the project's folder and stay inside it.
public struct ProjectFile: Equatable, Sendable {
  /// Version of the format that this library writes, and the only one that it reads.
  public static let format = 1

  /// A description for readers.
  public var title: String?
  public var recordings: [Recording] = []
  public var presets: [StoredFile] = []
  public var sequences: [StoredFile] = []
  public var takes: [Take] = []

  public init(title: String? = nil) { self.title = title }

  /// A sound file, and the part of it that is played.
  public struct Recording: Codable, Equatable, Sendable {
    public var name: ProjectName
    public var file: String
    /// Crop, speed, gain and loop; the file itself is never changed.
    public var sample: Sample.Settings

    public init(name: ProjectName, file: String, sample: Sample.Settings = Sample.Settings()) {
      (self.name, self.file, self.sample) = (name, file, sample)
    }
  }

  /// A preset in a JSON file, or the notes that voices sing: a MIDI file, or a score in YAML.
  public struct StoredFile: Codable, Equatable, Sendable {
    public var name: ProjectName
    public var file: String

    public init(name: ProjectName, file: String) { (self.name, self.file) = (name, file) }
  }

  /// A recording with its harmony: rendered from its parts whenever it is exported.
  ///
  /// The voices sing a sequence, or else hold a chord, or else are those of the preset. A preset gives
  /// its auto-tuner before the voices and its effects after them.
  public struct Take: Codable, Equatable, Sendable {
    public var name: ProjectName
    public var recording: ProjectName
    public var sequence: ProjectName?
    public var chord: Chord?
    public var preset: ProjectName?
    /// Chain after the preset's effects.
    public var effects: EffectChain?
    /// Level of the dry lead, 0 to 4; the preset's, or 0, unless given.
    public var dryGain: Double?
    /// Seed for all random variation.
    public var seed: UInt64?
    /// Length of a looped recording; once without its loop unless given.
    public var seconds: Double?

    public init(name: ProjectName, recording: ProjectName) {
      (self.name, self.recording) = (name, recording)
    }
  }
}

extension ProjectFile {
  /// Names of one kind, in the order of the file.
  public func names(of item: ProjectItem) -> [ProjectName] {
    switch item {
    case .recording: recordings.map(\.name)
    case .preset: presets.map(\.name)
    case .sequence: sequences.map(\.name)
    case .take: takes.map(\.name)
    }
  }

  /// Files of one kind with the names of their items; takes have none.
  public func files(of item: ProjectItem) -> [(name: ProjectName, file: String)] {
    switch item {
    case .recording: recordings.map { ($0.name, $0.file) }
    case .preset: presets.map { ($0.name, $0.file) }
    case .sequence: sequences.map { ($0.name, $0.file) }
    case .take: []
    }
  }

  /// The takes that need an item.
  public func takes(using item: ProjectItem, _ name: ProjectName) -> [ProjectName] {
    takes.filter { take in
      switch item {
      case .recording: take.recording == name
      case .preset: take.preset == name
      case .sequence: take.sequence == name
      case .take: false
      }
    }.map(\.name)
  }
}

/// The kinds of a project's content. A name is unique within its kind.
public enum ProjectItem: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
  case recording, preset, sequence, take

  public var description: String { rawValue }

  /// Folder of its files, and key of its list in `project.yaml`.
  public var folder: String { rawValue + "s" }
}
