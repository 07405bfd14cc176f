import Foundation
import Metrics
import Platform
import Yams

extension Gate {
  public init(reading url: URL) throws(GateError) {
    do { self = try Self.decoded(YAMLFile.text(of: url), at: url) } catch let problem as YAMLProblem
    {
      throw .gate(path: url.path, problem: problem.text)
    } catch { throw .unreadable(path: url.path, cause: Cause(error)) }
  }

  private static func decoded(_ text: String, at url: URL) throws -> Gate {
    let keys = Written.CodingKeys.allCases.map(\.rawValue)
    let root = try YAMLFile.mapping(
      of: text, content: "a gate has \(keys.joined(separator: ", "))")
    do {
      try YAMLProblem.refuse(keysOf: root, except: keys, "the gate")
      for (index, budget) in (root["budgets"]?.sequence ?? []).enumerated() {
        guard let mapping = budget.mapping else { continue }
        try YAMLProblem.refuse(
          keysOf: mapping, except: Budget.CodingKeys.allCases.map(\.rawValue), "a budget",
          [.name("budgets"), .index(index)])
      }
      if let cost = root["cost"]?.mapping {
        try YAMLProblem.refuse(
          keysOf: cost, except: GateCost.CodingKeys.allCases.map(\.rawValue), "cost",
          [.name("cost")])
      }
      let written = try YAMLDecoder().decode(Written.self, from: Node.mapping(root))
      let gate = written.gate(at: url)
      try gate.validate()
      return gate
    } catch let problem as YAMLProblem {
      throw problem.lined(in: root)
    } catch let error as DecodingError {
      throw YAMLProblem(error, in: .mapping(root)).lined(in: root)
    }
  }

  /// The keys of the file; an omitted key is `nil`.
  private struct Written: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case plan, baseline, perturbations, metrics, minimumEffects, level, maxMissingShare,
        cells, jobs, budgets, bench, cost, build, program
    }

    var plan: String
    var baseline: String?
    var perturbations: Int?
    var metrics: MetricChoice?
    var minimumEffects: [String: Double]?
    var level: Double?
    var maxMissingShare: Double?
    var cells: Int?
    var jobs: Int?
    var budgets: [Budget]?
    var bench: Bool?
    var cost: GateCost?
    var build: String?
    var program: String?

    func gate(at url: URL) -> Gate {
      let name = url.deletingPathExtension().lastPathComponent
      var gate = Gate(url: url, plan: plan, baseline: baseline ?? "\(name).tsv")
      (gate.build, gate.program) = (build, program)
      (gate.metrics, gate.cells, gate.jobs) = (metrics, cells, jobs)
      gate.perturbations = perturbations
      gate.minimumEffects = minimumEffects ?? [:]
      gate.level = level ?? gate.level
      gate.maxMissingShare = maxMissingShare ?? gate.maxMissingShare
      gate.budgets = budgets ?? []
      gate.bench = bench ?? true
      gate.cost = cost
      return gate
    }
  }

  private func validate() throws(YAMLProblem) {
    func refuse(_ text: String, _ place: Place...) throws(YAMLProblem) {
      throw YAMLProblem(text: text, place: place)
    }
    if let problem = metrics?.problem { try refuse(problem, .name("metrics")) }
    for (id, effect) in minimumEffects.sorted(by: { $0.key < $1.key }) {
      guard let metric = Metric.metric(id: id) else {
        try refuse(
          Metric.unknown(id), .name("minimumEffects"), .name(id))
        return
      }
      if metric.loss(0) == nil {
        try refuse(
          "'\(id)' only describes: no value is better than another; remove it",
          .name("minimumEffects"), .name(id))
      }
      if !(effect > 0 && effect.isFinite) {
        try refuse("\(id) is \(effect); choose more than 0", .name("minimumEffects"), .name(id))
      }
    }
    if !(0.001...0.2 ~= level) {
      try refuse("level is \(level); choose 0.001 to 0.2", .name("level"))
    }
    if !(0...1 ~= maxMissingShare) {
      try refuse("maxMissingShare is \(maxMissingShare); choose 0 to 1", .name("maxMissingShare"))
    }
    if let perturbations, !(2...100 ~= perturbations) {
      try refuse(
        "perturbations is \(perturbations); choose 2 to 100", .name("perturbations"))
    }
    if let cells, cells < 1 { try refuse("cells is \(cells); choose 1 or more", .name("cells")) }
    if let jobs, !(1...1024 ~= jobs) {
      try refuse("jobs is \(jobs); choose 1 to 1024", .name("jobs"))
    }
    if let cost, !(0.1...100 ~= cost.minimumPercent) {
      try refuse(
        "minimumPercent is \(cost.minimumPercent); choose 0.1 to 100", .name("cost"),
        .name("minimumPercent"))
    }
    if let build, build.allSatisfy(\.isWhitespace) {
      try refuse("build is empty; write a shell command, such as make", .name("build"))
    }
    for (index, budget) in budgets.enumerated() {
      if Metric.metric(id: budget.metric) == nil {
        try refuse(
          Metric.unknown(budget.metric), .name("budgets"), .index(index), .name("metric"))
      }
      if budget.max == nil && budget.min == nil {
        try refuse(
          "the budget of \(budget.metric) has neither max nor min; add one", .name("budgets"),
          .index(index))
      }
      if let max = budget.max, let min = budget.min, max < min {
        try refuse(
          "the budget of \(budget.metric) has max \(max) below min \(min); exchange them",
          .name("budgets"), .index(index), .name("max"))
      }
    }
  }
}
