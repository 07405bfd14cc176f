import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Subjects

/// Tries every metric on known systems and known damage, one class of recordings after the other.
///
/// The synthetic singer gives the ideal. The engines of the reference harmonizer are systems whose
/// order is known, and three doses of each fault are damage whose order is known.
///
/// - Cost: about two seconds of one core for each rendering, of which a class has some sixty.
struct Validity: Codable, Sendable {
  /// Settings of a validation.
  struct Settings: Codable, Equatable, Sendable {
    /// Duration of each clip to measure.
    var seconds = 4.0
    /// Other takes of the best system, from which noise is known.
    var takes = 3
    /// Classes to try, by name; `nil` for all.
    var classes: [String]?
    /// Metrics to try.
    var metrics = MetricChoice(families)

    /// Families that a rendering alone decides.
    static let families = [
      "pitch", "voices", "latency", "timbre", "words", "consonants", "artefacts",
    ]

    init() {}

    func validate() throws(SettingsError) {
      try require("seconds", seconds, in: 2...60)
      try require("takes", Double(takes), in: 1...100)
    }
  }

  var settings: Settings
  var findings: [MetricValidity]

  /// A clip of the songbook under a condition.
  struct Clip: Sendable {
    let song: String
    let condition: String

    init(_ song: String, _ condition: String = "clean") {
      (self.song, self.condition) = (song, condition)
    }

    func bench(seed: UInt64 = 1, seconds: Double) throws -> ValidityBench {
      try ValidityBench(song, under: try Condition(condition), seed: seed, seconds: seconds)
    }
  }

  /// Clips of all classes, the first of each class counts.
  static let clips =
    [
      Clip("vowels-bass"), Clip("vowels-tenor"), Clip("vowels-soprano"), Clip("stops-tenor"),
      Clip("melody-greensleeves"), Clip("melody-ah-vous-dirai-je"), Clip("spoken-baritone"),
      Clip("spoken-pop-soprano"),
    ]
    + ["noise(snrDb=10)", "room(rt60S=0.5)"].flatMap { condition in
      ["spoken-baritone", "melody-greensleeves", "melody-ah-vous-dirai-je"].map {
        Clip($0, condition)
      }
    }

  /// - Parameters:
  ///   - store: figures of earlier validations, which are not measured again.
  ///   - progress: called after each rendering with its number, the count of those to measure, and
  ///     its name.
  init(
    _ settings: Settings = Settings(), store: ValidityStore? = nil, jobs: Int,
    progress: @escaping @Sendable (Int, Int, String) -> Void = { _, _, _ in }
  ) async throws {
    try settings.validate()
    self.settings = settings
    let metrics = settings.metrics.metrics
    let ladders = try Self.ladders(settings)
    var rungs = ladders.flatMap { ladder in
      Rung.all(takes: settings.takes).map { rung in
        let key = ladder.key(of: rung, settings)
        let wanted = rung.metricsToMeasure(of: metrics, on: ladder.bench.kind)
        return (ladder, rung, key, wanted, figures: store?.figures(of: key, wanted))
      }
    }
    let open = rungs.indices.filter { rungs[$0].figures == nil }
    let work = rungs
    let measured = try await open.indices.map { ($0, open[$0]) }.concurrentMap(jobs: jobs) {
      index, place in
      let (ladder, rung, key, wanted, _) = work[place]
      let name = "\(ladder.bench.kind), \(rung.name)"
      let bench =
        rung.seed == 1
        ? ladder.bench : try ladder.clip.bench(seed: rung.seed, seconds: settings.seconds)
      let needed = store?.missing(from: key, wanted) ?? wanted
      var figures = try rung.figures(on: bench, measuring: needed)
      if let store {
        try store.add(figures, to: key, named: name, needed)
        figures = store.figures(of: key, wanted) ?? figures
      }
      progress(index + 1, open.count, name)
      return figures
    }
    for (place, figures) in zip(open, measured) { rungs[place].figures = figures }
    findings = ladders.flatMap { ladder in
      let own = rungs.filter { $0.0.bench.kind == ladder.bench.kind }
      let values = ValidityLadder(ladder.bench.kind, own.map { ($0.1, $0.figures!) })
      return metrics.compactMap { values.validity(of: $0) }
    }
  }

  /// A clip with its bench.
  private struct Ladder: Sendable {
    let clip: Clip
    let bench: ValidityBench

    /// Digest of everything that determines the sound of a rung and its figures.
    func key(of rung: Rung, _ settings: Settings) -> String {
      let system: String =
        if case .system(let place) = rung { ValidityBench.systems[place].settings.canonical } else {
          ""
        }
      return Digest.sha256(
        [
          clip.song, clip.condition, "\(settings.seconds)", "\(rung.seed)", rung.name, system,
          Toolkit.current.digest,
        ].joined(separator: "\n"))
    }
  }

  /// Returns the clips to try, the first of each class.
  private static func ladders(_ settings: Settings) throws -> [Ladder] {
    var ladders: [Ladder] = []
    for clip in clips {
      let bench = try clip.bench(seconds: settings.seconds)
      let name = bench.kind.description
      guard settings.classes?.contains(name) ?? true,
        !ladders.contains(where: { $0.bench.kind == bench.kind })
      else { continue }
      ladders.append(Ladder(clip: clip, bench: bench))
    }
    return ladders
  }
}
