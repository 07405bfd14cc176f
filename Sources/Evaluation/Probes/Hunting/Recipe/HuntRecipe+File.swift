import Corpus
import Foundation
import Platform
import Yams

/// A recipe that can't be read.
public struct HuntRecipeError: Error, CustomStringConvertible {
  public let description: String
}

extension HuntRecipe {
  /// Reads a recipe file.
  ///
  /// - Throws: `HuntRecipeError` with the file, the key and the remedy.
  public init(reading url: URL) throws(HuntRecipeError) {
    do {
      let text = try YAMLFile.text(of: url)
      let mapping = try YAMLFile.mapping(
        of: text, content: "a recipe has 'subject', 'fault' and 'sound'; choir-eval hunt writes it")
      let known = CodingKeys.allCases.map(\.rawValue)
      if let strange = mapping.keys.compactMap(\.string).first(where: { !known.contains($0) }) {
        throw YAMLProblem(
          text: "has '\(strange)', which no recipe has; remove it or write one of "
            + known.joined(separator: ", "))
      }
      let root = Node.mapping(mapping)
      do { self = try YAMLDecoder().decode(HuntRecipe.self, from: root) } catch let error
        as DecodingError
      { throw YAMLProblem(error, in: root) }
      guard recipe == 1 else {
        throw YAMLProblem(
          text: "is of format \(recipe), which this version does not read; update choir-eval")
      }
    } catch let problem as YAMLProblem {
      throw HuntRecipeError(description: "\(url.path): \(problem.text)")
    } catch { throw HuntRecipeError(description: "\(url.path): \(error)") }
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case recipe, subject, settings, fault, sound, found, input, output
  }

  /// The text of the file.
  ///
  /// - Parameter command: replays the recipe.
  public func text(command: String) throws -> String {
    let sentence = "\(found.words.prefix(1).uppercased())\(found.words.dropFirst())"
    let head = "# \(sentence): \(sound.words).\n\(Self.comment(command))\n"
    return try head + Yams.serialize(node: node, width: -1, allowUnicode: true)
  }

  /// A command as a comment of a file, in one line also where a path has several.
  static func comment(_ command: String) -> String {
    "# " + command.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Numbers as people write them, and one line for each key.
  private var node: Node {
    func line(_ pairs: [(String, SettingValue)]) -> Node {
      .mapping(.init(pairs.map { (Node($0.0), Node("\($0.1)")) }, .implicit, .flow))
    }
    let away = sound.away.map { ($0.rawValue, $0.setting(sound.values[$0]!)) }
    return .mapping(
      .init([
        (Node("recipe"), Node("\(recipe)")), (Node("subject"), Node(subject)),
        (Node("settings"), line(settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
        (Node("fault"), Node(fault.rawValue)), (Node("sound"), line(away)),
        (
          Node("found"),
          line([
            ("amount", .number(found.amount)), ("severity", .number(found.severity)),
            ("atSeconds", .number(found.atSeconds)), ("words", .text(found.words)),
          ])
        ), (Node("input"), Node(input)), (Node("output"), Node(output)),
      ]))
  }
}
