import Foundation
import Platform

/// The files of a data set in its makers' layout, in a folder.
public struct DatasetFolder: Sendable {
  /// The folder that the user named.
  public let place: URL
  /// Paths below the root of the data set, sorted.
  public let files: [String]
  private let known: Set<String>
  /// The path from `place` to the root of the data set; empty or ending in `/`.
  private let prefix: String

  /// Lists the files of a folder.
  ///
  /// - Throws: a `Refusal` if there is none.
  public init(_ place: URL) throws {
    guard isFolder("", in: place) else {
      throw Refusal("\(place.path) is no folder; check the path, and unpack an archive first")
    }
    self.init(place, prefix: "", files: Self.files(in: place))
  }

  /// Lists the files of a folder and its subfolders, also those behind symbolic links.
  ///
  /// - Parameter above: the folders on the way there, into which no link leads back.
  private static func files(in folder: URL, above: Set<String> = []) -> [String] {
    let real = folder.resolvingSymlinksInPath().path
    guard !above.contains(real) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.flatMap { name in
      guard isFolder(name, in: folder) else { return [name] }
      return files(in: folder.appendingPathComponent(name), above: above.union([real]))
        .map { "\(name)/\($0)" }
    }
  }

  /// Lists a sound file and the other files of its folder, without subfolders.
  init(around sound: URL) {
    let folder = sound.deletingLastPathComponent()
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    self.init(folder, prefix: "", files: (names ?? []).filter { !isFolder($0, in: folder) })
  }

  private init(_ place: URL, prefix: String, files: [String]) {
    self.place = place
    self.prefix = prefix
    self.files = files.filter(Self.isContent).sorted()
    known = Set(self.files)
  }

  /// Returns false for the hidden files that file managers leave behind.
  private static func isContent(_ path: String) -> Bool {
    !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
  }

  public func has(_ path: String) -> Bool { known.contains(path) }

  /// Returns the files below the topmost folder, at most three levels down, in which every pattern
  /// matches a file; `nil` if there is none.
  func rooted(at patterns: [String]) -> DatasetFolder? {
    var candidates: Set<String> = []
    for file in files {
      let parts = file.split(separator: "/")
      for depth in 0...min(3, parts.count - 1)
      where matches(parts.dropFirst(depth).joined(separator: "/"), patterns[0]) {
        candidates.insert(parts.prefix(depth).map { $0 + "/" }.joined())
      }
    }
    let roots = candidates.sorted { ($0.count, $0) < ($1.count, $1) }
    for root in roots {
      let below = files.filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) }
      if patterns.allSatisfy({ pattern in below.contains { matches($0, pattern) } }) {
        return DatasetFolder(place, prefix: prefix + root, files: below)
      }
    }
    return nil
  }

  /// Returns the files that match a pattern; `*` matches anything but `/`.
  func files(matching pattern: String) -> [String] { files.filter { matches($0, pattern) } }

  /// Returns the names, without folder and extension, of files that match any of the patterns. With
  /// patterns for annotations too, clips without sound are found.
  func stems(_ patterns: String...) -> [String] {
    Set(paths(patterns).map { ($0 as NSString).lastPathComponent }).sorted()
  }

  /// Returns the paths, without extension, of files that match any of the patterns.
  func paths(_ patterns: [String]) -> [String] {
    Set(patterns.flatMap { files(matching: $0) }.map { ($0 as NSString).deletingPathExtension })
      .sorted()
  }

  /// Returns a column of a table by its first column; empty if there is no such file.
  func table(
    _ path: String, separator: DelimitedText.Separator, column: Int
  ) throws -> [String: String] {
    guard has(path) else { return [:] }
    return DelimitedText(try text(path), path: path, separator: separator).body
      .reduce(into: [:]) { values, row in
        if row.fields.indices.contains(column) { values[row.fields[0]] = row.fields[column] }
      }
  }

  /// Returns a column of a table by another one; empty if there is no such file.
  func table(
    _ path: String, separator: DelimitedText.Separator, from key: String, to name: String
  ) throws -> [String: String] {
    guard has(path) else { return [:] }
    let table = DelimitedText(try text(path), path: path, separator: separator)
    let (keys, values) = (try table.named(key), try table.named(name))
    return try table.body.reduce(into: [:]) {
      $0[try table.field($1, keys)] = try table.field($1, values)
    }
  }

  /// Returns the URL to read a file at.
  func url(_ path: String) -> URL { place.appendingPathComponent(prefix + path) }

  func text(_ path: String) throws -> String { decodedText(try GivenFile.data(at: url(path))) }
}

private func isFolder(_ path: String, in folder: URL) -> Bool {
  FileStatus(folder.appendingPathComponent(path).path)?.isFolder == true
}

/// Returns true if a path matches a shell pattern; `*` does not cross folders.
func matches(_ path: String, _ pattern: String) -> Bool {
  fnmatch(pattern, path, FNM_PATHNAME) == 0
}

/// Returns the last part of a path without its extension.
func stem(_ path: String) -> String {
  URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
}
