import Files
import Foundation
import Metrics
import Subjects
import Yams

extension Plan {
  /// - Parameter corpusFolder: whose `scores` are those that a plan names, where they are not in `scores`
  ///   beside its own folder.
  public init(reading url: URL, corpusFolder: URL? = nil) throws {
    let beside = url.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("scores")
    let folders = [beside, corpusFolder?.appendingPathComponent("scores")].compactMap(\.self)
    do { self = try Self.decoded(YAMLFile.text(of: url), scoresFolders: folders) } catch let problem
      as Problem
    {
      throw PlanError.invalid(path: url.path, problem: problem.text)
    }
    takeSubjectFiles(beside: url)
  }

  /// A subject's file is meant from where the plan lies, unless it is only found from where one works.
  private mutating func takeSubjectFiles(beside url: URL) {
    let folder = (url.relativePath as NSString).deletingLastPathComponent
    for index in subjects.indices where subjects[index].id.hasSuffix(".yaml") {
      let path = (folder as NSString).appendingPathComponent(subjects[index].id)
      let isAbsolute = subjects[index].id.hasPrefix("/")
      if !isAbsolute, FileManager.default.fileExists(atPath: path) { subjects[index].id = path }
    }
  }

  typealias Problem = YAMLProblem

  /// The keys that a person writes.
  static let keys = [
    "name", "title", "subject", "subjects", "recordings", "tier", "conditions", "scores",
    "settings", "constraints", "listen", "metrics", "limitSeconds", "cost",
  ]

  static func decoded(
    _ text: String, scoresFolders: [URL] = [URL(fileURLWithPath: "Corpus/scores")]
  ) throws -> Plan {
    let written = try YAMLFile.mapping(
      of: text, content: "a plan has \(keys.joined(separator: ", "))")
    do {
      try refuseUnknownKeys(of: written)
      let root = try plain(written, scoresFolders: scoresFolders)
      let plan = try YAMLDecoder().decode(Plan.self, from: Node.mapping(root))
      try plan.validate()
      return plan
    } catch let error as ScoreError {
      throw Problem(text: error.description)
    } catch let problem as Problem {
      throw problem.lined(in: written, aliases: aliases)
    } catch let error as DecodingError {
      throw Problem(error, in: .mapping(written), aliases: aliases)
        .lined(in: written, aliases: aliases)
    }
  }

  /// What a person may leave out or abbreviate, written out.
  private static func plain(
    _ written: Node.Mapping, scoresFolders: [URL]
  ) throws -> Node.Mapping {
    var root = written
    if let scores = root["scores"]?.sequence {
      root["scores"] = try Score.written(out: scores, folders: scoresFolders)
    }
    if let subject = root["subject"] {
      guard root["subjects"] == nil else {
        throw Problem(text: "has 'subject' and 'subjects'; keep one", place: [.name("subjects")])
      }
      root["subjects"] = Node([subject])
      root["subject"] = nil
    }
    guard root["subjects"] != nil else {
      throw Problem(text: "lacks 'subject', or 'subjects' for several")
    }
    if let filter = root["recordings"], filter.mapping != nil {
      root["filter"] = filter
      root["recordings"] = nil
    }
    if root["title"] == nil { root["title"] = root["name"] }
    // A plan with a tier needs no list, one whose subjects have settings of their own no others.
    if root["recordings"] == nil { root["recordings"] = Node([Node]()) }
    if root["settings"] == nil { root["settings"] = Node([(Node, Node)]()) }
    return root
  }

  // MARK: Checks

  private static func refuseUnknownKeys(of root: Node.Mapping) throws {
    try Problem.refuse(keysOf: root, except: keys, "the plan")
    for (index, subject) in (root["subjects"]?.sequence ?? []).enumerated() {
      guard let mapping = subject.mapping else { continue }
      let names = SubjectChoice.CodingKeys.allCases.map(\.rawValue)
      try Problem.refuse(
        keysOf: mapping, except: names, "a subject", [.name("subjects"), .index(index)])
    }
    if let filter = root["recordings"]?.mapping {
      let names = RecordingFilter.CodingKeys.allCases.map(\.rawValue)
      try Problem.refuse(
        keysOf: filter, except: names, "a choice of recordings", [.name("recordings")])
    }
  }

  private func validate() throws {
    func refuse(_ text: String, _ place: Place...) throws {
      throw Problem(text: text, place: place)
    }
    if name.isEmpty || !name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) {
      try refuse("the name '\(name)' must be letters, digits, '-', '_' and '.'", .name("name"))
    }
    if subjects.isEmpty { try refuse("has no subjects", .name("subjects")) }
    for axis in settings.axes where axis.values.isEmpty {
      try refuse(
        "the setting '\(axis.name)' has no values to try", .name("settings"), .name(axis.name))
    }
    for (index, subject) in subjects.enumerated() {
      for axis in subject.settings.axes where axis.values.isEmpty {
        try refuse(
          "the setting '\(axis.name)' has no values to try", .name("subjects"), .index(index),
          .name("settings"), .name(axis.name))
      }
    }
    guard [tier != nil, filter != nil, !recordings.isEmpty].count(where: { $0 }) == 1 else {
      throw Problem(
        text: "needs either a list of recordings or a tier, not both", place: [.name("recordings")])
    }
    if let metrics, metrics.names.isEmpty || metrics.unknownName != nil {
      let families = MetricFamily.all.map(\.id).joined(separator: ", ")
      try refuse(
        (metrics.unknownName.map { "measures '\($0)', which is no metric" } ?? "measures nothing")
          + "; there are the families \(families), and the ids of choir-eval metrics list",
        .name("metrics"))
    }
    if let name = metrics?.nameThatTakesCare, cost != .careful {
      try refuse(
        "measures '\(name)', which takes rounds of careful timing; say cost: careful, too",
        .name("metrics"))
    }
    if let limitSeconds, !(0.001...31_536_000 ~= limitSeconds) {
      try refuse(
        "limitSeconds is \(limitSeconds); choose 0.001 to 31536000, which is a year",
        .name("limitSeconds"))
    }
    for (key, list) in [
      ("recordings", recordings), ("conditions", conditionNames), ("scores", scores.map(\.id)),
      ("listen", listen ?? []),
    ] {
      if let twice = list.indices.first(where: { list[..<$0].contains(list[$0]) }) {
        try refuse("'\(list[twice])' is there twice", .name(key), .index(twice))
      }
    }
    let isList = tier == nil && filter == nil && !recordings.contains { Wildcard($0).isPattern }
    for (index, id) in (listen ?? []).enumerated() where isList && !recordings.contains(id) {
      try refuse(
        "listens to '\(id)', which is none of its recordings", .name("listen"), .index(index))
    }
    try check(constraints, names: settingNames, [.name("constraints")])
    for (index, subject) in subjects.enumerated() {
      try check(
        subject.constraints, names: settings.names + subject.settings.names,
        [.name("subjects"), .index(index), .name("constraints")])
    }
  }

  private func check(_ constraints: [String]?, names: [String], _ place: [Place]) throws {
    for (index, text) in (constraints ?? []).enumerated() {
      let here = place + [.index(index)]
      guard let constraint = Constraint(text) else {
        throw Problem(
          text: "the constraint '\(text)' is not of the form 'crossfadeMs <= windowMs / 2'",
          place: here)
      }
      if let stray = constraint.names.first(where: { !names.contains($0) }) {
        throw Problem(
          text: "the constraint '\(text)' speaks of '\(stray)', which is no setting of this plan; "
            + "there is \(names.joined(separator: ", "))", place: here)
      }
    }
  }

  /// What was abbreviated is found under the name that a person writes.
  private static let aliases = ["subjects": "subject", "filter": "recordings"]
}
