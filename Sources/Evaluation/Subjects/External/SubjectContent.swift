import Foundation
import HostProtocol
import Platform
import Synchronization

/// The files that determine a program's sound: the program, files among its arguments, the bundles of
/// its plugins, and the libraries of all these. Their digests are part of a subject's version, so a
/// rebuilt program is another version.
package struct SubjectContent {
  /// The folder that relative paths start from.
  let folder: URL
  let environment: [String: String]
  /// The name in the digest of each real path.
  private(set) var files: [String: String] = [:]

  package init(in folder: URL, environment: [String: String]) {
    (self.folder, self.environment) = (folder, environment)
  }

  /// A digest of all files, independent of their folders.
  package var digest: String {
    let lines = files.map { "\($0.value) \(Self.digest(ofFile: $0.key))" }.sorted()
    return Digest.sha256(lines.joined(separator: "\n"))
  }

  // MARK: Files

  /// Adds a plugin, its bundle, and the host that runs it.
  mutating func add(plugin: PluginDescription?) {
    let paths = [try? PluginHost.path(), plugin?.libraryPath, plugin?.bundlePath]
    for path in paths.compactMap(\.self) where !path.isEmpty { add(path: path) }
  }

  /// Adds the program of a command and the files among its arguments.
  ///
  /// - Parameter words: the command, with its known places filled in.
  package mutating func add(command words: [String]) {
    guard let program = words.first else { return }
    if let path = ProgramFile.path(of: program, in: folder, environment) { add(file: path) }
    for word in words.dropFirst() { add(argument: word) }
  }

  /// Adds the files and folders that an argument may name: itself, the part after `=`, or a word of a
  /// shell line.
  mutating func add(argument word: String) {
    var candidates = [word]
    if let place = word.firstIndex(of: "=") {
      candidates.append(String(word[word.index(after: place)...]))
    }
    let isLine = word.contains(where: \.isWhitespace)
    if isLine {
      candidates += word.split { $0.isWhitespace || "'\"`;|&<>()$=".contains($0) }.map(String.init)
    }
    for text in Set(candidates) where !text.isEmpty && !text.contains("{") {
      if text.contains("://") || text.hasPrefix("urn:") {
        addPlugin(uri: text)
      } else if !add(path: text) {
        if text.hasSuffix(".so"), !text.contains("/") { addLADSPA(text) }
        if isLine, !text.contains("/"),
          let program = ProgramFile.path(of: text, in: folder, environment)
        {
          add(file: program)
        }
      }
    }
  }

  /// Adds a file or folder.
  ///
  /// - Returns: true if it exists.
  @discardableResult
  package mutating func add(path: String) -> Bool {
    let url = folder.resolving(path)
    guard let status = FileStatus(url.path) else { return false }
    if status.isFolder { add(folder: url) } else { add(file: url.path) }
    return true
  }

  private mutating func add(file path: String, named name: String? = nil) {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    // Devices and pipes have no content.
    guard files[real] == nil, FileStatus(real)?.isFile == true else { return }
    files[real] = name ?? URL(fileURLWithPath: path).lastPathComponent
    guard let head = try? GivenFile.head(256, of: URL(fileURLWithPath: real)) else { return }
    if head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
      for library in libraries(of: real) { add(library: library) }
    } else if head.starts(with: Data("#!".utf8)) {
      addInterpreter(String(decoding: head.dropFirst(2).prefix { $0 != 10 }, as: UTF8.self))
    }
  }

  /// Adds a library only: `ldd` already lists the libraries of libraries.
  private mutating func add(library path: String) {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if files[real] == nil { files[real] = URL(fileURLWithPath: path).lastPathComponent }
  }

  private mutating func addInterpreter(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return }
    if first.hasSuffix("/env"),
      let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
      let program = ProgramFile.path(of: name, in: folder, environment)
    {
      add(file: program)
    } else {
      add(path: first)
    }
  }

  /// Largest number of files read in a folder, in case an argument names a large folder by chance.
  private static let maxFiles = 2000

  private mutating func add(folder url: URL) {
    guard
      let walk = FileManager.default.enumerator(
        at: url, includingPropertiesForKeys: [.isRegularFileKey])
    else { return }
    let base = url.resolvingSymlinksInPath().path
    var count = 0
    while let file = walk.nextObject() as? URL, count < Self.maxFiles {
      guard (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true else {
        continue
      }
      count += 1
      add(file: file.path, named: String(file.resolvingSymlinksInPath().path.dropFirst(base.count)))
    }
  }

  /// Adds the files whose path matches a template such as `renders/{recording}_{semitones}.wav`.
  mutating func add(renderingsNamed template: CommandTemplate) {
    let path = folder.resolving(template.words[0]).path
    let fixed = path.split(separator: "{", maxSplits: 1)[0]
    let top = fixed.lastIndex(of: "/").map { String(fixed[..<$0]) } ?? folder.path
    let escaped = NSRegularExpression.escapedPattern(for: path)
      .replacing(/\\\{[A-Za-z0-9]+(:[^\/]*?)?\\\}/, with: "[^/]*")
    guard let form = try? Regex(escaped),
      let walk = FileManager.default.enumerator(
        at: URL(fileURLWithPath: top.isEmpty ? "/" : top), includingPropertiesForKeys: nil)
    else { return }
    // A place holds no slash, so nothing deeper can match.
    let depth = path.dropFirst(top.count).split(separator: "/").count
    while let file = walk.nextObject() as? URL {
      if walk.level >= depth { walk.skipDescendants() }
      guard file.path.wholeMatch(of: form) != nil else { continue }
      files[file.resolvingSymlinksInPath().path] = String(file.path.dropFirst(top.count))
    }
  }

  // MARK: Plugins and libraries

  private mutating func addLADSPA(_ name: String) {
    for folder in PluginAddress.ladspaFolders(in: environment)
    where add(path: "\(folder)/\(name)") { return }
  }

  /// Adds the bundle of an LV2 plugin, found by `lv2info`.
  private mutating func addPlugin(uri: String) {
    guard let text = output(of: ["lv2info", uri]) else { return }
    for line in text.split(separator: "\n") where line.contains("Bundle:") {
      guard let place = line.range(of: "file://") else { continue }
      let path = line[place.upperBound...].trimmingCharacters(in: .whitespaces)
      add(path: path.removingPercentEncoding ?? path)
    }
  }

  private func libraries(of file: String) -> [String] {
    let key = Self.key(ofFile: file)
    if let known = Self.libraries.withLock({ $0[key] }) { return known }
    let lines = (output(of: ["ldd", file]) ?? "").split(separator: "\n")
    let found = lines.compactMap { line -> String? in
      guard let arrow = line.range(of: "=> ") else { return nil }
      let path = line[arrow.upperBound...].prefix { $0 != " " }
      return path.hasPrefix("/") ? String(path) : nil
    }
    Self.libraries.withLock { $0[key] = found }
    return found
  }

  private func output(of command: [String]) -> String? {
    let child = ChildProcess(
      arguments: command, timeoutSeconds: 10, folder: folder, environment: environment)
    return (try? child.run())?.text
  }

  // MARK: Digests

  private static let digests = Mutex<[String: String]>([:])
  private static let libraries = Mutex<[String: [String]]>([:])

  /// Returns a key of a file's path, identity, size and times.
  private static func key(ofFile path: String) -> String {
    var found = stat()
    guard stat(path, &found) == 0 else { return path }
    return [
      path, "\(found.st_dev)", "\(found.st_ino)", "\(found.st_size)", "\(found.st_mtim)",
      "\(found.st_ctim)",
    ].joined(separator: " ")
  }

  /// Returns the digest of a file; an unchanged file is read once.
  private static func digest(ofFile path: String) -> String {
    let key = key(ofFile: path)
    if let known = digests.withLock({ $0[key] }) { return known }
    let digest = (try? Digest.sha256(ofFile: URL(fileURLWithPath: path))) ?? "unreadable"
    digests.withLock { $0[key] = digest }
    return digest
  }
}
