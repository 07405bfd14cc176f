import AudioFile
import DSP
import Foundation
import Harmonizer
import Platform
import Subjects

extension Project {
  /// Files in the folders of items that no item uses.
  public var unusedFiles: [String] {
    let used = Set(ProjectItem.allCases.flatMap { file.files(of: $0).map(\.file) })
    return ProjectItem.allCases.filter { $0 != .take }.flatMap { item in
      let folder = url(of: item.folder)
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
      return paths.filter { FileStatus(folder.appendingPathComponent($0).path)?.isFolder == false }
        .map { "\(item.folder)/\($0)" }
    }.filter { !used.contains($0) }.sorted()
  }

  /// Reads a recording and cuts out the part that is played.
  public func sample(of recording: ProjectFile.Recording) throws(ProjectError) -> Sample {
    let sound = try sound(of: recording)
    do { return try Sample(sound, recording.sample) } catch {
      throw .content(path: url(of: recording.file).path, problem: Cause(error))
    }
  }

  /// Reads all of a recording's file.
  public func sound(of recording: ProjectFile.Recording) throws(ProjectError) -> Signal {
    let url = try existing(recording.file, .recording, recording.name)
    do { return try AudioFile(reading: url.path).mono } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
  }

  /// Reads a preset.
  public func preset(of stored: ProjectFile.StoredFile) throws(ProjectError) -> Preset {
    let url = try existing(stored.file, .preset, stored.name)
    do { return try Preset(reading: url) } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
  }

  /// Reads a sequence.
  public func score(of sequence: ProjectFile.StoredFile) throws(ProjectError) -> Score {
    let url = try existing(sequence.file, .sequence, sequence.name)
    do { return try Self.score(at: url) } catch {
      throw .content(path: url.path, problem: Cause(error))
    }
  }

  static func isMIDI(_ url: URL) -> Bool {
    !["yaml", "yml"].contains(url.pathExtension.lowercased())
  }

  /// Reads notes: a score in YAML by the ending of its name, or else a MIDI file.
  public static func score(at url: URL) throws -> Score {
    guard isMIDI(url) else { return try Score(reading: url) }
    let score = try Score(playing: url.path)
    try score.check()
    return score
  }
}
