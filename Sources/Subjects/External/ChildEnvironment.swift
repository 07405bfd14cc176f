import Foundation
import Yams

/// The environment of a program under test: a few variables that every program needs, and those that
/// the subject's file names.
package enum ChildEnvironment {
  /// Variables for the paths of programs, home and temporary files, and for the locale.
  static let names = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "LC_NUMERIC",
  ]

  /// The variables of `names` that are set.
  package static var passedOn: [String: String] { ofThisProcess.filter { names.contains($0.key) } }

  /// All variables, for programs of this package.
  package static var ofThisProcess: [String: String] { ProcessInfo.processInfo.environment }
}

/// The environment variables that a subject's file names, with values or to be passed on.
public struct SubjectEnvironment: Codable, Equatable, Sendable {
  /// The values by name; `nil` passes on the value of choir-eval's own environment.
  var values: [String: String?]

  /// Reads a list of names, or a mapping from names to values; returns `nil` for anything else.
  init?(_ node: Node) {
    func isName(_ text: String) -> Bool {
      !text.isEmpty && !text.contains("=") && !text.contains("\0")
    }
    if let list = node.sequence {
      let names = list.compactMap(\.string)
      guard names.count == list.count, names.allSatisfy(isName) else { return nil }
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else if let mapping = node.mapping {
      values = [:]
      for (name, value) in mapping {
        guard let name = name.string, isName(name), let text = value.string,
          !text.contains("\0")
        else { return nil }
        values[name] = .some(text)
      }
    } else {
      return nil
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let names = try? container.decode([String].self) {
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else {
      values = try container.decode([String: String].self).mapValues { .some($0) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// The values, which may have places in braces.
  var texts: [String] { values.sorted { $0.key < $1.key }.compactMap(\.value) }

  /// Returns the variables for the program, given the environment `here`.
  func resolved(in here: [String: String]) -> [String: String] {
    var found: [String: String] = [:]
    for (name, value) in values { found[name] = value ?? here[name] }
    return found
  }
}

/// Finds the file of a program.
package enum ProgramFile {
  /// Returns the file of a path from `folder`, or of a name in the environment's `PATH`; `nil` if
  /// there is none.
  package static func path(
    of name: String, in folder: URL, _ environment: [String: String]
  ) -> String? {
    if name.contains("/") {
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      return isProgram(path) ? path : nil
    }
    guard !name.isEmpty else { return nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
