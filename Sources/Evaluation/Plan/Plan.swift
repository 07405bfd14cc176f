import Foundation
import Yams

/// What to try: recordings × conditions × scores × settings, from a YAML file that a person writes.
public struct Plan: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var subject: String
  /// Ids of the corpus.
  public var recordings: [String]
  /// Chosen from the corpus, instead of a list of recordings.
  public var tier: Tier?
  /// What the subject hears each recording through; only clean where there is no list.
  public var conditions: [Condition]?
  public var scores: [Score]
  /// The values to try of each setting; every combination that the constraints allow.
  public var settings: SettingAxes
  public var constraints: [String]?
  /// Ids of recordings whose sound and pitch are kept for the report.
  public var listen: [String]?
  /// Families or ids of the metrics to measure; all of them where there is no list.
  public var metrics: MetricChoice?

  /// - Parameter scoresFolder: where the scores that it names lie; `scores` beside the plan's folder
  ///   unless given.
  public init(reading url: URL, scoresFolder: URL? = nil) throws {
    let scores =
      scoresFolder
      ?? url.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("scores")
    let text: String
    do { text = try String(contentsOf: url, encoding: .utf8) } catch {
      throw EvaluationError.plan(path: url.path, problem: "can't be read; is the path right?")
    }
    do { self = try Self.decoded(text, scoresFolder: scores) } catch let problem as Problem {
      throw EvaluationError.plan(path: url.path, problem: problem.text)
    }
  }

  /// Something a plan can't say.
  struct Problem: Error { var text: String }

  static func decoded(
    _ text: String, scoresFolder: URL = URL(fileURLWithPath: "Corpus/scores")
  ) throws -> Plan {
    let plan: Plan
    do {
      guard var root = try Yams.compose(yaml: text)?.mapping else {
        throw Problem(text: "is empty; a plan has \(keys.joined(separator: ", "))")
      }
      try refuseUnknownKeys(of: root, allowed: keys, place: "the plan")
      if let scores = root["scores"]?.sequence {
        root["scores"] = try Score.written(out: scores, folder: scoresFolder)
      }
      // A plan with a tier needs no list.
      if root["recordings"] == nil { root["recordings"] = Node([Node]()) }
      plan = try YAMLDecoder().decode(Plan.self, from: Node.mapping(root))
    } catch let error as ScoreError {
      throw Problem(text: error.description)
    } catch let error as YamlError {
      throw Problem(text: "is not YAML: \(error)")
    } catch let error as DecodingError {
      throw Problem(text: words(for: error))
    }
    try plan.validate()
    return plan
  }

  private static let keys = [
    "name", "title", "subject", "recordings", "tier", "conditions", "scores", "settings",
    "constraints", "listen", "metrics",
  ]

  private static func refuseUnknownKeys(
    of mapping: Node.Mapping, allowed: [String], place: String
  ) throws {
    for key in mapping.keys where !allowed.contains(key.string ?? "") {
      let line = key.mark.map { "line \($0.line): " } ?? ""
      throw Problem(
        text: "\(line)\(place) has no '\(key.string ?? "?")'; it has "
          + allowed.joined(separator: ", "))
    }
  }

  private static func words(for error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        .joined(separator: ".")
    }
    return switch error {
    case .keyNotFound(let key, _): "lacks '\(key.stringValue)'"
    case .dataCorrupted(let context): "'\(path(context))': \(context.debugDescription)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(path(context))' is not of the right kind: \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }

  private func validate() throws {
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    else { throw Problem(text: "the name '\(name)' must be letters, digits, '-', '_' and '.'") }
    for axis in settings.axes where axis.values.isEmpty {
      throw Problem(text: "the setting '\(axis.name)' has no values to try")
    }
    guard (tier == nil) != recordings.isEmpty else {
      throw Problem(text: "needs either a list of recordings or a tier, not both")
    }
    for list in [recordings, conditionNames, scores.map(\.id), listen ?? []] {
      if let twice = list.first(where: { id in list.count { $0 == id } > 1 }) {
        throw Problem(text: "'\(twice)' is there twice")
      }
    }
    if tier == nil, let stray = (listen ?? []).first(where: { !recordings.contains($0) }) {
      throw Problem(text: "listens to '\(stray)', which is none of its recordings")
    }
    if let metrics, metrics.names.isEmpty || metrics.unknownName != nil {
      let families = MetricFamily.all.map(\.id).joined(separator: ", ")
      throw Problem(
        text: (metrics.unknownName.map { "measures '\($0)', which is no metric" }
          ?? "measures nothing")
          + "; there are the families \(families), and the ids of choir-eval metrics list")
    }
    for text in constraints ?? [] {
      guard let constraint = Constraint(text) else {
        throw Problem(
          text: "the constraint '\(text)' is not of the form 'crossfadeMs <= windowMs / 2'")
      }
      if let stray = constraint.names.first(where: { !settings.names.contains($0) }) {
        throw Problem(text: "the constraint '\(text)' speaks of '\(stray)', which is no setting")
      }
    }
  }

  /// Every combination of settings that the constraints allow.
  public func combinations() -> [SubjectSettings] {
    let rules = (constraints ?? []).compactMap(Constraint.init)
    return settings.combinations.filter { combination in
      rules.allSatisfy { $0.holds(for: combination) }
    }
  }
}
