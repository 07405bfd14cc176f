import Corpus
import Foundation
import Platform
import Yams

/// A short text that reproduces a sound and its fault to the bit.
public struct HuntRecipe: Codable, Equatable, Sendable {
  /// Format of the file.
  public var recipe = 1
  /// The subject, as commands take it.
  public var subject: String
  /// All settings of the subject.
  public var settings: SubjectSettings
  public var fault: FaultKind
  /// The sound, by its differences from a plain vowel.
  public var sound: HuntPoint
  public var found: Figures
  /// SHA-256 of the subject's input and output, as 32-bit floats.
  public var input: String
  public var output: String

  /// The fault as it was found.
  public struct Figures: Codable, Equatable, Sendable {
    /// Size in the unit of the fault's kind.
    public var amount: Double
    /// Size in thresholds of hearing.
    public var severity: Double
    public var atSeconds: Double
    public var words: String

    init(_ fault: HuntFault) {
      func short(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
      amount = short(fault.amount)
      severity = short(fault.severity)
      atSeconds = short(fault.atSeconds)
      words = fault.words
    }
  }

  /// - Parameter subject: the subject as the user named it.
  public init(_ finding: HuntFinding, subject: String, on bench: HuntBench) throws {
    let point = finding.after.point
    self.subject = subject
    settings = bench.settings.merging(point.settings) { $1 }
    fault = finding.kind
    sound = point
    sound.settings = [:]
    found = Figures(finding.fault)
    (input, output) = try bench.digests(point)
  }
}

extension HuntRecipe {
  /// Reads a recipe file.
  ///
  /// - Throws: `HuntRecipeError` with the file, the key and the remedy.
  public init(reading url: URL) throws(HuntRecipeError) {
    self = try HuntRecipeError.naming(url) { text in
      let mapping = try YAMLFile.mapping(
        of: text, content: "a recipe has 'subject', 'fault' and 'sound'; choir-eval hunt writes it")
      return try HuntRecipeError.decoded(
        mapping, keys: CodingKeys.allCases.map(\.rawValue), format: \.recipe)
    }
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

/// A recipe that can't be read.
public struct HuntRecipeError: Error, CustomStringConvertible {
  public let description: String

  /// Reads a recipe's file; an error gets the file's name.
  static func naming<Recipe>(
    _ url: URL, read: (_ text: String) throws -> Recipe
  ) throws(HuntRecipeError) -> Recipe {
    do { return try read(YAMLFile.text(of: url)) } catch let problem as YAMLProblem {
      throw HuntRecipeError(description: "\(url.path): \(problem.text)")
    } catch { throw HuntRecipeError(description: "\(url.path): \(error)") }
  }

  /// - Parameter format: its number, which must be 1.
  static func decoded<Recipe: Decodable>(
    _ mapping: Node.Mapping, keys: [String], format: KeyPath<Recipe, Int>,
    checking check: (Recipe) throws -> Void = { _ in }
  ) throws -> Recipe {
    try YAMLFile.decoded(
      mapping,
      expanding: { try YAMLProblem.refuse(keysOf: $0, except: keys, "a recipe") },
      checking: { (read: Recipe) in
        guard read[keyPath: format] == 1 else {
          throw YAMLProblem(
            text: "is of format \(read[keyPath: format]), which this version does not read; update "
              + "choir-eval")
        }
        try check(read)
      })
  }
}
