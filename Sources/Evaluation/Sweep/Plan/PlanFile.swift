import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Yams

extension Plan {
  /// Reads a plan from a YAML file.
  ///
  /// - Parameter corpusFolder: its folders `scores` and `metrics` are searched for files that those next
  ///   to the plan's folder lack.
  public init(reading url: URL, corpusFolder: URL? = nil) throws {
    let own = url.deletingLastPathComponent()
    let folders = [own.deletingLastPathComponent(), corpusFolder].compactMap(\.self)
    do {
      self = try Self.decoded(
        YAMLFile.text(of: url),
        scoresFolders: folders.map { $0.appendingPathComponent("scores") }, folder: own,
        metricsFolders: ([own] + folders).map { $0.appendingPathComponent("metrics") })
    } catch let problem as Problem {
      throw Refusal(url.path, problem.text)
    }
    takeSubjectFiles(beside: url)
  }

  /// Resolves paths of subject files against the plan's folder, unless the files exist only where the
  /// program runs.
  private mutating func takeSubjectFiles(beside url: URL) {
    let folder = (url.relativePath as NSString).deletingLastPathComponent
    for index in subjects.indices where subjects[index].id.hasSuffix(".yaml") {
      let id = subjects[index].id
      let prefix = id.hasPrefix(MixSubject.prefix) ? MixSubject.prefix : ""
      let file = String(id.dropFirst(prefix.count))
      let path = (folder as NSString).appendingPathComponent(file)
      let isBesidePlan = FileManager.default.fileExists(atPath: path)
      if !file.hasPrefix("/"), isBesidePlan || !FileManager.default.fileExists(atPath: file) {
        subjects[index].id = prefix + path
      }
    }
  }

  typealias Problem = YAMLProblem

  /// Keys of a plan file.
  static let keys = [
    "name", "title", "subject", "subjects", "recordings", "tier", "conditions", "scores",
    "settings", "constraints", "listen", "metrics", "limitSeconds", "cost",
  ]

  /// - Parameter folder: folder of the plan, from which paths of metrics start.
  static func decoded(
    _ text: String, scoresFolders: [URL] = [URL(fileURLWithPath: "Corpus/scores")],
    folder: URL? = nil, metricsFolders: [URL] = []
  ) throws -> Plan {
    let written = try YAMLFile.mapping(
      of: text, content: "a plan has \(keys.joined(separator: ", "))")
    do {
      // Errors name the keys as they are written.
      return try YAMLFile.decoded(
        written, aliases: ["subjects": "subject", "filter": "recordings"]
      ) { root in
        try refuseUnknownKeys(of: root)
        if let metrics = root["metrics"]?.sequence {
          root["metrics"] = try OwnMetric.written(
            out: metrics, beside: folder, folders: metricsFolders)
        }
        try expand(&root, scoresFolders: scoresFolders)
      } checking: {
        try $0.validate()
      }
    } catch let error as ScoreError { throw Problem(text: error.description) }
  }

  /// Expands everything that a plan file may omit or abbreviate.
  private static func expand(_ root: inout Node.Mapping, scoresFolders: [URL]) throws {
    if let scores = root["scores"]?.sequence {
      root["scores"] = try Score.written(out: scores, folders: scoresFolders)
    }
    if let subject = root["subject"] {
      guard root["subjects"] == nil else {
        throw Problem(
          text: "has both 'subject' and 'subjects'; keep one", place: [.name("subjects")])
      }
      root["subjects"] = Node([subject])
      root["subject"] = nil
    }
    if let subjects = root["subjects"]?.sequence {
      root["subjects"] = Node(
        subjects.map { subject in
          guard var choice = subject.mapping else {
            return subject.scalar == nil ? subject : ["id": subject, "settings": [:]]
          }
          choice.fill(["settings": [:]])
          return .mapping(choice)
        })
    }
    if let filter = root["recordings"], filter.mapping != nil {
      root["filter"] = filter
      root["recordings"] = nil
    }
    // A tier replaces the list of recordings, settings of the subjects the common ones, and a command's
    // `--subject` the plan's.
    root.fill(["recordings": [], "settings": [:], "subjects": []])
    if let name = root["name"] { root.fill(["title": name]) }
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
    for axis in settings.axes where axis.values.isEmpty {
      try refuse(
        "the setting '\(axis.name)' has no values to try; add one", .name("settings"),
        .name(axis.name))
    }
    for (index, subject) in subjects.enumerated() {
      for axis in subject.settings.axes where axis.values.isEmpty {
        try refuse(
          "the setting '\(axis.name)' has no values to try; add one", .name("subjects"),
          .index(index), .name("settings"), .name(axis.name))
      }
    }
    let choices = [tier != nil, filter != nil, !recordings.isEmpty].count { $0 }
    guard choices == 1 else {
      throw Problem(
        text: choices == 0
          ? "has no recordings; list some, or choose a tier"
          : "has both a list of recordings and a tier; keep one", place: [.name("recordings")])
    }
    if let problem = metrics?.problem { try refuse(problem, .name("metrics")) }
    if let name = metrics?.carefulMetricName, cost != .careful {
      try refuse(
        "measures '\(name)', which needs careful timing; add cost: careful",
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
        try refuse("'\(list[twice])' is there twice; keep one", .name(key), .index(twice))
      }
    }
    let isList = tier == nil && filter == nil && !recordings.contains { Wildcard($0).isPattern }
    for (index, id) in (listen ?? []).enumerated() where isList && !recordings.contains(id) {
      try refuse(
        "listens to '\(id)', which is not among its recordings; add it there", .name("listen"),
        .index(index))
    }
    try check(constraints, names: settingNames, [.name("constraints")])
    for (index, subject) in subjects.enumerated() {
      try check(
        subject.constraints, names: settings.names + subject.settings.names,
        [.name("subjects"), .index(index), .name("constraints")])
      try check(partOf: subject, [.name("subjects"), .index(index)])
    }
  }

  /// Refuses conditions and scores of a subject that the plan lacks. Its recordings are checked
  /// when the plan's are known.
  private func check(partOf subject: SubjectChoice, _ place: [Place]) throws {
    for (key, names, known) in [
      (
        "conditions", subject.conditions?.map(\.canonical),
        conditionNames.isEmpty ? [Condition.clean.canonical] : conditionNames
      ),
      ("scores", subject.scores, scores.map(\.id)), ("recordings", subject.recordings, nil),
    ] {
      guard let names else { continue }
      if names.isEmpty {
        throw Problem(
          text: "gives '\(subject.id)' no \(key); name some, or leave the key out for all",
          place: place + [.name(key)])
      }
      guard let known, let index = names.firstIndex(where: { !known.contains($0) }) else {
        continue
      }
      throw Problem(
        text: "gives '\(subject.id)' '\(names[index])', which is not among the plan's \(key); "
          + "choose from \(known.joined(separator: ", "))",
        place: place + [.name(key), .index(index)])
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
          text: "the constraint '\(text)' refers to '\(stray)', which is no setting of this plan; "
            + "choose from \(names.joined(separator: ", "))", place: here)
      }
    }
  }
}
