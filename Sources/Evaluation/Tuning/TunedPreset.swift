import Corpus
import Effects
import Foundation
import Harmonizer
import Metrics
import Platform
import Subjects
import Sweep

/// The recommended settings as a preset that every command of this package plays, with their
/// evidence in a file beside it.
public struct TunedPreset: Sendable {
  /// `nil` if the subject is external or runs offline only.
  public let preset: Preset?
  public let evidence: Evidence

  public struct Evidence: Encodable, Sendable {
    public var schema = "choir-eval.tune-evidence/2"
    public var plan: String
    public var planDigest: String
    public var runStartedAt: String
    public var subject: String
    public var settings: SubjectSettings
    /// Settings that a preset can't hold because they belong to the measurement.
    public var notInPreset: [String]
    /// Score that sets the preset's voices; the engine also plays others.
    public var score: String
    public var rule: String
    public var axes: [TuneAnswer.Axis]
    public var budgets: [String: Double]
    public var figures: [String: TuneAnswer.Figure]
    public var undefined: [String: String]
    public var distance: Double?
    public var chosenShare: Double?
    public var frontShare: Double?
    public var isWithinBudgets: Bool
    /// Most audible faults, in words.
    public var heard: [String]
    /// Number of cells of the run.
    public var cells: Int
    public var recordings: [String]
    /// Digest of the recordings' ids and digests.
    public var corpusDigest: String
    public var metricVersions: [String: Int]
    /// Digest of all metrics and the settings of their judges.
    public var judges: String
    /// Builds of the toolkit that measured, with their numbers of cells.
    public var measuredBy: [ProvenanceSummary.Share]
    public var search: TuneAnswer.Search?
    /// The command that creates the preset again.
    public var command: String
  }

  /// - Parameter name: name of the preset; letters, digits and `-`.
  public init(
    _ answer: TuneAnswer, place: Int, name: String, run: StoredRun, corpus: Corpus, command: String
  ) throws {
    let point = answer.points[place]
    let sung = Set(
      run.cells.filter { $0.subject == point.subject && $0.settings == point.settings }
        .map(\.score.id))
    let score = run.plan.scores.first { sung.contains($0.id) } ?? run.plan.scores[0]
    var others: [String] = []
    preset = try Self.preset(
      point, name: name, summary: "Chosen by tune for the plan '\(run.plan.name)'", score, &others)
    let digests = try run.plan.recordings.sorted().map { id in
      "\(id) \(try corpus.digest(of: corpus.entry(id: id)))"
    }
    let plan = try JSONEncoder.canonical.encode(run.plan)
    evidence = Evidence(
      plan: run.plan.name, planDigest: Digest.sha256(plan), runStartedAt: run.startedAt,
      subject: point.subject, settings: point.settings, notInPreset: others, score: score.id,
      rule: TuneGoal.rule, axes: answer.axes, budgets: answer.budgets, figures: point.figures,
      undefined: point.undefined.mapValues(\.detail), distance: point.distance,
      chosenShare: point.chosenShare,
      frontShare: point.frontShare, isWithinBudgets: point.fits,
      heard: point.heard.map(\.sentence), cells: run.cells.count,
      recordings: answer.recordings, corpusDigest: Digest.sha256(digests.joined(separator: "\n")),
      metricVersions: Dictionary(
        answer.axes.map { ($0.metric, Metric.metric(id: $0.metric)?.version ?? 0) }
      ) { first, _ in first },
      judges: MetricChoice.everything.fingerprint,
      measuredBy: ProvenanceSummary(of: run.cells).programs,
      search: answer.search, command: command)
  }

  private static func preset(
    _ point: TuneAnswer.Point, name: String, summary: String, _ score: Score,
    _ others: inout [String]
  ) throws -> Preset? {
    var settings = point.settings
    let chain =
      try settings.removeValue(forKey: "effects")
      .map { try EffectChain(parsing: "\($0)") } ?? EffectChain()
    for setting in ["blockSize", "leadPitch", "rateHz"]
    where settings.removeValue(forKey: setting) != nil {
      others.append(setting)
    }
    var preset: Preset
    switch point.subject {
    case "reference":
      let (engine, own) = try ChoirEngine.chosen(by: settings)
      guard case .live(let live) = engine else { return nil }
      var choir = score.choir()
      choir.engine = live
      others += try own.applied(to: Harmonizer.Settings.commonInfos) { choir.setCommon($0, to: $1) }
        .keys.sorted()
      preset = Preset(name, summary, harmonizer: choir, effects: chain)
    case "autotuner":
      let tuner = try AutoTunerSubject().tunerSettings(settings, for: score).0
      preset = Preset(name, summary, autotuner: tuner, effects: chain)
    default: return nil
    }
    try preset.validate()
    return preset
  }

  /// Returns the files of a preset: `url` itself and the evidence beside it.
  public static func files(for url: URL) -> [URL] {
    [url, url.deletingPathExtension().appendingPathExtension("evidence.json")]
  }

  /// Writes the preset to `url` and the evidence to the same name ending in `.evidence.json`, both or
  /// none. Without a preset it writes the evidence alone, which holds the settings, and removes an
  /// older preset, which it would not be about.
  ///
  /// - Returns: the files that were written.
  public func write(to url: URL) throws -> [URL] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let files = Self.files(for: url)
    var written = [(files[1], try encoder.encode(evidence))]
    if let preset { written.insert((files[0], try preset.json), at: 0) }
    let folder = url.deletingLastPathComponent()
    let draft = try Draft(url.lastPathComponent, in: folder, of: folder)
    for (file, data) in written {
      try data.write(to: draft.folder.appendingPathComponent(file.lastPathComponent))
    }
    try draft.publish {
      written.map { .init(from: $0.0.lastPathComponent, to: $0.0.lastPathComponent) }
    }
    if preset == nil, FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    return written.map(\.0)
  }
}
