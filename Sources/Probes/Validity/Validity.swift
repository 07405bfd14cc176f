import Corpus
import DSP
import Foundation
import Metrics
import Statistics

/// Tries every metric on known systems and known damage, one class of recordings after the other.
///
/// The synthetic singer gives the ideal. The engines of the reference harmonizer are systems whose
/// order is known, and defects in three doses are damage whose order is known.
///
/// - Cost: about a second of one core for each rendering, of which a class has some fifty.
public struct Validity: Codable, Sendable {
  /// Settings of a validation.
  public struct Settings: Codable, Equatable, Sendable {
    /// Duration of each clip to measure.
    public var seconds = 4.0
    /// Other takes of the best system, from which noise is known.
    public var takes = 3
    /// Classes to try, by name; `nil` for all.
    public var classes: [String]?
    /// Metrics to try.
    public var metrics = MetricChoice(families)

    /// Families that a rendering alone decides.
    public static let families = [
      "pitch", "voices", "latency", "timbre", "words", "consonants", "artefacts",
    ]

    public init() {}

    public func validate() throws(SettingsError) {
      try require("seconds", seconds, in: 2...60)
      try require("takes", Double(takes), in: 1...100)
    }
  }

  public var settings: Settings
  public var findings: [MetricValidity]

  /// A clip of the songbook under a condition.
  struct Clip: Sendable {
    let song: String
    let condition: String

    init(_ song: String, _ condition: String = "clean") {
      (self.song, self.condition) = (song, condition)
    }
  }

  /// Clips of all classes, each the first of its class.
  static let clips = [
    Clip("vowels-bass"), Clip("vowels-tenor"), Clip("vowels-soprano"), Clip("melody-ode-to-joy"),
    Clip("melody-greensleeves"), Clip("melody-ah-vous-dirai-je"), Clip("spoken-baritone"),
    Clip("spoken-pop-soprano"), Clip("spoken-baritone", "noise(snrDb=10)"),
    Clip("melody-ah-vous-dirai-je", "noise(snrDb=10)"), Clip("spoken-baritone", "room(rt60S=0.5)"),
    Clip("melody-ah-vous-dirai-je", "room(rt60S=0.5)"),
  ]

  /// - Parameter progress: called after each rendering with its number, the count of all and its name.
  public init(
    _ settings: Settings = Settings(), jobs: Int,
    progress: @escaping @Sendable (Int, Int, String) -> Void = { _, _, _ in }
  ) async throws {
    try settings.validate()
    self.settings = settings
    var ladders: [(bench: ValidityBench, takes: [ValidityBench])] = []
    for clip in Self.clips {
      let condition = try Condition(clip.condition)
      func bench(_ seed: UInt64) throws -> ValidityBench {
        try ValidityBench(
          clip.song, under: condition, seed: seed, seconds: settings.seconds,
          measuring: settings.metrics.metrics)
      }
      let first = try bench(1)
      let name = first.kind.description
      guard settings.classes?.contains(name) ?? true,
        !ladders.contains(where: { $0.bench.kind == first.kind })
      else { continue }
      ladders.append((first, try (0..<settings.takes).map { try bench(UInt64($0) + 2) }))
    }
    let rungs = ladders.indices.flatMap { place in
      Rung.all(takes: settings.takes).map { (place, $0) }
    }
    let work = ladders
    let values = try await Self.mapped(rungs, jobs: jobs) { index, item in
      let (place, rung) = item
      let found = try rung.measured(on: work[place].bench, takes: work[place].takes)
      progress(index + 1, rungs.count, "\(work[place].bench.kind), \(rung.name)")
      return found
    }
    let all = Metric.all.filter { metric in settings.metrics.metrics.contains { $0.id == metric.id }
    }
    findings = ladders.indices.flatMap { place in
      let own = zip(rungs, values).filter { $0.0.0 == place }.map { ($0.0.1, $0.1) }
      let ladder = ValidityLadder(work[place].bench.kind, own)
      return all.compactMap { ladder.validity(of: $0) }
    }
  }

  /// Maps items on several tasks at a time, in their order.
  private static func mapped<Item: Sendable, Result: Sendable>(
    _ items: [Item], jobs: Int, _ work: @escaping @Sendable (Int, Item) throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      var next = 0
      func start() {
        guard next < items.count else { return }
        let (index, item) = (next, items[next])
        group.addTask { (index, try work(index, item)) }
        next += 1
      }
      for _ in 0..<max(1, jobs) { start() }
      while let (index, result) = try await group.next() {
        results[index] = result
        start()
      }
      return items.indices.map { results[$0]! }
    }
  }
}

/// One rendering of a ladder.
enum Rung: Sendable {
  case ideal
  case system(Int)
  case defect(Int, dose: Int)
  case take(Int)

  static func all(takes: Int) -> [Rung] {
    [.ideal] + ValidityBench.systems.indices.map { .system($0) }
      + ValidityDefect.all.indices.flatMap { defect in
        ValidityDefect.all[defect].doses.indices.map { .defect(defect, dose: $0) }
      } + (0..<takes).map { .take($0) }
  }

  var name: String {
    switch self {
    case .ideal: "ideal"
    case .system(let system): ValidityBench.systems[system].name
    case .defect(let defect, let dose):
      "\(ValidityDefect.all[defect].name) \(ValidityDefect.all[defect].doses[dose])"
    case .take(let take): "take \(take + 2)"
    }
  }

  func measured(
    on bench: ValidityBench, takes: [ValidityBench]
  ) throws -> (latencyMs: Double, values: [String: Double]) {
    switch self {
    case .ideal: return (0, bench.values(of: bench.ideal))
    case .system(let system):
      let found = try bench.rendering(of: ValidityBench.systems[system])
      return (found.latencyMs, bench.values(of: found.sound, latencyMs: found.latencyMs))
    case .defect(let defect, let dose):
      let own = ValidityDefect.all[defect]
      return (0, bench.values(of: try bench.ideal(with: own.kind, own.doses[dose])))
    case .take(let take):
      let found = try takes[take].rendering(of: ValidityBench.systems[0])
      return (found.latencyMs, takes[take].values(of: found.sound, latencyMs: found.latencyMs))
    }
  }
}

extension ValidityLadder {
  init(
    _ kind: RecordingClass, _ rungs: [(Rung, (latencyMs: Double, values: [String: Double]))]
  ) {
    self.init(kind: kind, ideal: [:], systems: [], defects: [], takes: [])
    for (rung, found) in rungs {
      switch rung {
      case .ideal: ideal = found.values
      case .system(let index):
        let system = ValidityBench.systems[index]
        systems.append((system.name, system.place, found.latencyMs, found.values))
      case .defect(let index, let dose):
        if dose == 0 { defects.append(Dosed(defect: ValidityDefect.all[index], values: [])) }
        defects[defects.count - 1].values.append(found.values)
      case .take: takes.append(found.values)
      }
    }
  }
}
