import Foundation
import Metrics
import Platform
import Sweep
import Yams

extension Gate {
  public init(reading url: URL) throws(Refusal) {
    do {
      let keys = CodingKeys.allCases.map(\.rawValue)
      let root = try YAMLFile.mapping(
        of: YAMLFile.text(of: url), content: "a gate has \(keys.joined(separator: ", "))")
      self = try YAMLFile.decoded(root) { root in
        try YAMLProblem.refuse(keysOf: root, except: keys, "the gate")
        // Makes the plan's own metrics known. Its errors are reported when it is run.
        if let plan = root["plan"]?.string {
          let folder = url.deletingLastPathComponent()
          _ = try? Plan(reading: folder.resolving(plan).absoluteURL)
        }
        let name = url.deletingPathExtension().lastPathComponent
        root.fill([
          "baseline": Node("\(name).tsv"), "minimumEffects": [:], "budgets": [], "bench": "true",
          "level": Node("\(VerdictRule().level)"),
          "maxMissingShare": Node("\(RunComparison.Settings().maxMissingShare)"),
        ])
        root["budgets"] = try Self.expandedBudgets(root["budgets"]!)
        if var cost = root["cost"]?.mapping {
          try YAMLProblem.refuse(
            keysOf: cost, except: GateCost.CodingKeys.allCases.map(\.rawValue), "cost",
            [.name("cost")])
          cost.fill([
            "settings": [], "minimumPercent": Node("\(GateCost().minimumPercent)"),
          ])
          root["cost"] = .mapping(cost)
        }
      } checking: {
        try $0.validate()
      }
      self.url = url
    } catch let problem as YAMLProblem {
      throw Refusal(url.path, problem.text)
    } catch {
      throw Refusal(url.path, "\(Cause(error))")
    }
  }

  private static func expandedBudgets(_ node: Node) throws -> Node {
    guard let budgets = node.sequence else { return node }
    return Node(
      try budgets.enumerated().map { index, node in
        guard var budget = node.mapping else { return node }
        try YAMLProblem.refuse(
          keysOf: budget, except: Budget.CodingKeys.allCases.map(\.rawValue), "a budget",
          [.name("budgets"), .index(index)])
        budget.fill(["of": Node(Budget.Statistic.mean.rawValue)])
        return .mapping(budget)
      })
  }

  private func validate() throws(YAMLProblem) {
    func refuse(_ text: String, _ place: Place...) throws(YAMLProblem) {
      throw YAMLProblem(text: text, place: place)
    }
    if let problem = metrics?.problem { try refuse(problem, .name("metrics")) }
    for (id, effect) in minimumEffects.sorted(by: { $0.key < $1.key }) {
      guard let metric = Metric.metric(id: id) else {
        try refuse(Metric.unknown(id), .name("minimumEffects"), .name(id))
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
      try refuse("perturbations is \(perturbations); choose 2 to 100", .name("perturbations"))
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
        try refuse(Metric.unknown(budget.metric), .name("budgets"), .index(index), .name("metric"))
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
