import Foundation
import Yams

/// Reads the YAML of plans, gates, scores and subjects into nodes.
///
/// A file that can't be read throws a `YAMLProblem`: another encoding, a syntax error, a number that
/// is not finite, a file that is too large.
package enum YAMLFile {
  /// Largest number of values. Plans have hundreds; aliases of aliases turn a few lines into
  /// billions.
  static let maxValues = 200_000
  static let maxBytes = 16_000_000
  /// Deepest nesting: more than any plan has, less than the stack allows.
  static let maxLevels = 64

  /// Returns the text of a file, which must be UTF-8. A byte order mark is left out, as YAML 1.2
  /// demands (section 5.2).
  package static func text(of url: URL) throws(YAMLProblem) -> String {
    let data: Data
    do { data = try GivenFile.data(at: url) } catch { throw YAMLProblem(text: error.problem) }
    guard data.count <= maxBytes else {
      throw YAMLProblem(
        text: "has \(data.count) bytes; at most \(maxBytes) are read. Check the path or split it")
    }
    if let encoding = otherEncoding(of: data) {
      throw YAMLProblem(
        text: "is \(encoding); save it as UTF-8, for example: iconv -f \(encoding) -t UTF-8 FILE")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = data.starts(with: mark) ? data.dropFirst(mark.count) : data
    guard let text = String(validating: content, as: UTF8.self) else {
      throw YAMLProblem(text: "is not UTF-8; save it as UTF-8")
    }
    return text
  }

  /// Recognizes UTF-16 and UTF-32 by the byte order mark, or UTF-16 by the zeros between letters.
  private static func otherEncoding(of data: Data) -> String? {
    let start = [UInt8](data.prefix(64))
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0, 0xFE, 0xFF]) {
      return "UTF-32"
    }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let zeros = start.indices.filter { start[$0] == 0 }
    guard start.count >= 4, zeros.count * 3 > start.count else { return nil }
    // The zeros of other data, such as sound, lie anywhere.
    if zeros.allSatisfy({ $0 % 2 == 1 }) { return "UTF-16LE" }
    return zeros.allSatisfy { $0 % 2 == 0 } ? "UTF-16BE" : nil
  }

  /// Returns the keys and values of a file.
  ///
  /// - Parameter content: what such a file holds, for the errors.
  package static func mapping(of text: String, content: String) throws(YAMLProblem) -> Node.Mapping
  {
    guard let root = try node(of: text) else { throw YAMLProblem(text: "is empty; \(content)") }
    guard let mapping = root.mapping else {
      throw YAMLProblem(text: "has no keys with values, such as 'name: value'; \(content)")
    }
    return mapping
  }

  /// Parses a text; returns `nil` if it is empty.
  package static func node(of text: String) throws(YAMLProblem) -> Node? {
    try refuseDeep(text)
    let root: Node?
    do { root = try Yams.compose(yaml: text) } catch let error as YamlError {
      throw YAMLProblem(error)
    } catch { throw YAMLProblem(text: "is not YAML: \(error)") }
    guard let root else { return nil }
    var count = 0
    try refuseUnfit(root, [], &count)
    return root
  }

  /// Refuses deep nesting before the parser, which recurses, runs out of stack.
  private static func refuseDeep(_ text: String) throws(YAMLProblem) {
    var (level, line, dashes) = (0, 1, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): level += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): level = max(0, level - 1)
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): dashes += 1
      case UInt8(ascii: " "): break
      case UInt8(ascii: "\n"): (line, dashes) = (line + 1, 0)
      default: dashes = 0
      }
      guard level <= maxLevels, dashes <= 1000 else {
        throw YAMLProblem(
          text: "line \(line): is nested more than \(maxLevels) levels deep; flatten it")
      }
    }
  }

  /// Refuses numbers that are not finite, and too many values.
  ///
  /// - Parameter wanted: what to write instead of such a number.
  private static func refuseUnfit(
    _ node: Node, _ path: [Place], _ count: inout Int, wanted: String = "a finite number"
  ) throws(YAMLProblem) {
    count += 1
    guard count <= maxValues, path.count <= maxLevels else {
      throw YAMLProblem(text: "has more than \(maxValues) values or \(maxLevels) levels; split it")
    }
    switch node {
    case .scalar(let scalar):
      guard scalar.style == .plain, let number = node.float, !number.isFinite else { return }
      throw YAMLProblem(
        text: "\(line(of: node))\(YAMLProblem.written(path)) is '\(scalar.string)'; write \(wanted)"
      )
    case .sequence(let items):
      // If all other items are whole numbers, this one should be whole too.
      let finite = items.filter { $0.float?.isFinite ?? true }
      let areWhole = !finite.isEmpty && finite.allSatisfy { $0.int != nil }
      for (index, item) in items.enumerated() {
        try refuseUnfit(
          item, path + [.index(index)], &count,
          wanted: areWhole
            ? "a whole number"
            : "a finite number, or '\(item.string ?? "")' in quotes if it is a text")
      }
    case .mapping(let pairs):
      for (key, value) in pairs {
        try refuseUnfit(value, path + [.name(key.string ?? "?")], &count)
      }
    case .alias: return
    }
  }

  private static func line(of node: Node) -> String {
    node.mark.map { "line \($0.line): " } ?? ""
  }
}
