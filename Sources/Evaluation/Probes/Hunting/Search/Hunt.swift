import DSP
import Foundation
import Platform
import Statistics

/// A search for the worst that a subject does within hearing.
///
/// Each generation judges ordinary singing, which tells how likely a fault is; points that cover
/// the whole space; and points near the worst ones so far. A generation depends only on the seed
/// and the generations before it, so a hunt of more time, or of more jobs, begins with the same
/// points. Cost spikes alone depend on the clock.
public struct Hunt: Sendable {
  public struct Settings: Sendable {
    public var seed: UInt64 = 1
    /// Time after which no further generation begins; `nil` for no limit.
    public var seconds: Double? = 90
    /// Number of sounds after which no further generation begins; `nil` for no limit.
    public var maxSounds: Int?
    /// Points that are judged at once.
    public var jobs = 2
    /// Points of each sort in a generation.
    var share = 8

    public init() {}
  }

  /// The state of a hunt, for its progress.
  public struct Progress: Sendable {
    public var sounds: Int
    public var seconds: Double
    public var found: [FaultKind]
  }

  let bench: HuntBench
  let settings: Settings

  /// Points of each kind that further ones are made from.
  private static let eliteCount = 4

  public init(_ bench: HuntBench, _ settings: Settings) {
    (self.bench, self.settings) = (bench, settings)
  }

  /// Searches until time or sounds are used up, or the task is cancelled.
  ///
  /// - Parameter isEnough: ends the search after a generation.
  public func search(
    until isEnough: (JudgedSounds) -> Bool = { _ in false }, _ show: (Progress) -> Void
  ) async -> JudgedSounds {
    let start = Date()
    var caught = JudgedSounds()
    var random = SeededGenerator(seed: settings.seed)
    repeat {
      let points = generation(after: caught, &random)
      let judged = await points.concurrentMap(jobs: settings.jobs) { [bench] in bench.judge($0) }
      caught.add(judged, ordinary: settings.share)
      show(
        Progress(
          sounds: caught.judged.count, seconds: Date().timeIntervalSince(start),
          found: FaultKind.allCases.filter { caught.worst($0) != nil }))
    } while Date().timeIntervalSince(start) < settings.seconds ?? .infinity
      && caught.judged.count < settings.maxSounds ?? .max && !isEnough(caught)
      && !Task.isCancelled
    return caught
  }

  /// Returns the next points: ordinary ones first.
  private func generation(after caught: JudgedSounds, _ random: inout SeededGenerator)
    -> [HuntPoint]
  {
    let space = bench.space
    var points = (0..<settings.share).map { _ in space.ordinary(&random) }
    // Simple sounds need little shrinking; a fault that needs three parameters at once shows in one
    // complicated sound of three, but in one simple sound of a thousand.
    points += space.covering(settings.share / 2, sparseness: 0.9, &random)
    points += space.covering(settings.share, sparseness: 0.7, &random)
    points += space.covering(settings.share, sparseness: 0.3, &random)
    let elites = FaultKind.allCases.flatMap { caught.elites($0, most: Self.eliteCount) }
    guard !elites.isEmpty else { return points }
    return points
      + (0..<settings.share / 2).map { _ in
        space.mutated(elites[Int(random.uniform() * Double(elites.count))], &random)
      }
  }
}

/// Everything that a hunt has judged.
public struct JudgedSounds: Sendable {
  /// All judgements, in the order of the search.
  public private(set) var judged: [Judgement] = []
  /// The judgements of ordinary singing.
  public private(set) var ordinary: [Judgement] = []

  mutating func add(_ new: [Judgement], ordinary count: Int) {
    judged += new
    ordinary += new.prefix(count).filter { $0.seconds > 0 }
  }

  /// The judgement with the worst confirmed fault of a kind; `nil` if there is none.
  public func worst(_ kind: FaultKind) -> Judgement? { confirmed(kind).first }

  /// The judgements with a confirmed fault of a kind, the worst first.
  func confirmed(_ kind: FaultKind) -> [Judgement] {
    judged.filter { $0.fault(kind) != nil }
      .sorted { $0.fault(kind)!.severity > $1.fault(kind)!.severity }
  }

  /// The points on which a kind is nearest to being heard, or heard most.
  ///
  /// Costs are no guide, because the next run has others.
  func elites(_ kind: FaultKind, most: Int) -> [HuntPoint] {
    guard kind != .costSpike else { return [] }
    let severe = judged.map { (point: $0.point, severity: $0.severity(kind)) }
      .filter { $0.severity > 0.3 }
    return severe.sorted { $0.severity > $1.severity }.prefix(most).map(\.point)
  }

  /// The share of ordinary performances that show a kind; `nil` before any was judged.
  public func rate(_ kind: FaultKind) -> Proportion? {
    ordinary.isEmpty
      ? nil : Proportion(ordinary.count { $0.fault(kind) != nil }, of: ordinary.count)
  }

  /// Duration of the ordinary performances, in minutes.
  public var ordinaryMinutes: Double { ordinary.reduce(0) { $0 + $1.seconds } / 60 }
}
