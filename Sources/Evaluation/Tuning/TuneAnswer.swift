import Corpus
import Metrics
import Platform

/// The answer of `tune`: every setting with its figures, the front and the recommended setting.
public struct TuneAnswer: Encodable, Sendable {
  /// An axis as it was used.
  public struct Axis: Encodable, Sendable {
    public var axis: TuneAxis
    public var metric: String
    public var unit: String
    public var ideal: Double
    /// Difference that counts as one just-noticeable difference; an exchange rate for latency and
    /// cost.
    public var scale: Double
    /// True if it counts towards the front and the distance; otherwise it only has a budget.
    public var isWeighed: Bool
  }

  /// A setting's figure on one axis.
  public struct Figure: Encodable, Sendable {
    /// The worst voice of the worst register; of latency and cost the median of the worst register.
    public var value: Double
    /// Median over recordings.
    public var typical: Double?
    /// `value` in just-noticeable differences; of latency and cost in units of the scale.
    public var units: Double
    public var interval: ClosedRange<Double>?
    /// Number of recordings with a value.
    public var recordings: Int
    /// The voice, recording and register of `value`; `nil` if it is of no single one.
    public var voice: String?
    public var recording: String?
    public var register: String?
    /// True if the setting has no value there and the worst of the others is assumed.
    public var isAssumed = false
    /// The worst that was measured, where `value` is assumed; `nil` if nothing was.
    public var measured: Double?
    /// Reason why there is no interval.
    public var note: String?
  }

  /// One combination of settings.
  public struct Point: Encodable, Sendable {
    public var subject: String
    public var settings: SubjectSettings
    public var figures: [String: Figure]
    /// Axes without a value, with the reason.
    public var undefined: [String: Undefined]
    public var isOnFront = false
    /// Share of draws of recordings in which it is on the front.
    public var frontShare: Double?
    /// True if it is within all budgets.
    public var fits: Bool
    /// The worst loss in each register in which it loses a voice that another setting within the
    /// budgets keeps; empty if it serves every register.
    public var losses: [Loss]
    /// Share of draws in which it is within all budgets and serves every register.
    public var fitShare: Double?
    /// Steps of all faults together; `nil` if an axis is undefined or none is heard.
    public var faults: Double?
    /// Steps of all faults, latency and cost; `nil` if an axis is undefined.
    public var distance: Double?
    /// Measured faults above their threshold, the most audible one first.
    public var heard: [Fault]
    /// Share of draws in which it is recommended.
    public var chosenShare: Double?
    public var impulseLatencyMs: Double?
    /// Index in `points` of the first setting of the subject whose output equals this one's to the
    /// last bit; they count as one setting and have the same cost.
    public var sameAs: Int?
    /// Round of the search, from 1, after which it was dropped.
    public var droppedAfterRound: Int?
  }

  /// The recommended setting for a group of recordings.
  public struct Group: Encodable, Sendable {
    /// `voice`, `kind` or `register`.
    public var by: String
    public var name: String
    public var recordings: [String]
    /// Index in `points`; `nil` if no setting has all figures, and for one recording.
    public var chosen: Int?
    public var fits: Bool
    /// Losses of `chosen`.
    public var losses: [Loss]
    /// Recordings on which every setting within the budgets loses a voice.
    public var unkept: [String]
    public var figures: [String: Figure]
    public var chosenShare: Double?
    public var note: String?
  }

  /// The recommended setting under a limit of latency beside the other budgets.
  public struct Limit: Encodable, Sendable {
    public var latencyMs: Double
    /// Index in `points`.
    public var chosen: Int
    /// Losses of `chosen`; empty if it serves every register.
    public var losses: [Loss]
  }

  /// A setting that can't be compared with the others.
  public struct LeftOut: Encodable, Equatable, Sendable {
    public var subject: String
    public var settings: SubjectSettings
    public var reason: String
  }

  /// Cost of an adaptive search.
  public struct Search: Encodable, Sendable {
    public var cells: Int
    public var gridCells: Int
    public var rounds: [SuccessiveHalving.Round]
  }

  public var axes: [Axis]
  /// Requested axes that nothing in the run defines, with the reason.
  public var undefinedAxes: [String: Undefined]
  public var budgets: [String: Double]
  /// Settings in the order of the plan.
  public var points: [Point]
  /// Settings that were asked for something else than the others.
  public var leftOut: [LeftOut]
  /// Recordings on which every setting failed; they have no part in the answer.
  public var failedRecordings: [String]
  /// Index in `points` of the recommended setting; `nil` if none is within all budgets and serves
  /// every register.
  public var recommended: Int?
  /// Other settings without a noticeable difference, as far as these recordings show, from the recommended one or
  /// the nearest miss.
  public var alike: [Int]
  /// Index of the setting that comes nearest to that if none does.
  public var nearestMiss: Int?
  /// Amount by which that setting misses each budget.
  public var misses: [String: Double]
  /// Number of draws of recordings; `drawsUsed` counts those in which some setting has all figures.
  public var draws: Int
  public var drawsUsed: Int
  public var recordings: [String]
  /// Share of a register's recordings that the figures cover.
  public var served: Double
  /// Largest share of frames in which a voice may be lost, in percent.
  public var lostLimitPercent: Double
  /// Recordings on which every setting within the budgets loses a voice.
  public var unkept: [String]
  public var groups: [Group]
  /// Recommended settings under the limits of latency that are common.
  public var limits: [Limit]
  /// Parameters that make no difference that is heard.
  public var unheardSettings: [UnheardSetting]
  /// Cost of the adaptive search, if there was one.
  public var search: Search?

  /// The setting within the budgets with the fewest steps, if it was passed over because it loses
  /// voices.
  public var passedOver: Point? {
    let fewest = points.filter { $0.fits && $0.droppedAfterRound == nil && $0.distance != nil }
      .min { $0.distance! < $1.distance! }
    return fewest.flatMap { $0.losses.isEmpty ? nil : $0 }
  }

  /// The budgets in words: `latency at most 20 ms`; `nil` without any.
  public var budgetWords: String? {
    let words = budgets.sorted { $0.key < $1.key }.map { name, limit in
      let axis = TuneAxis(rawValue: name)
      let amount = [SettingValue.number(limit).description, axis?.unit ?? ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
      return "\(name) at \(axis == .intelligibility ? "least" : "most") \(amount)"
    }
    return words.isEmpty ? nil : listed(words)
  }

  /// Settings whose outputs are equal to the last bit.
  public var equalSettings: [[Point]] {
    Dictionary(grouping: points.indices.filter { points[$0].sameAs != nil }) { points[$0].sameAs! }
      .sorted { $0.key < $1.key }.map { first, others in [points[first]] + others.map { points[$0] }
      }
  }

  /// The recordings without a part in the answer, in a sentence; `nil` without any.
  public var failedWords: String? {
    failedRecordings.isEmpty
      ? nil : "Every setting failed on \(listed(failedRecordings)), so nothing here is about it."
  }

  /// The source of the weights in words.
  public static let weightWords = "Weights from published thresholds, not from listeners."

  /// Index of the recommended setting, or of the nearest miss.
  public var best: Int? { recommended ?? nearestMiss }
}

extension TuneAnswer {
  /// Returns a number of steps with what it means. By the rule a fault at its threshold of hearing is one
  /// step; docs/reference/metrics.md#audibility has the sources of the thresholds.
  package static func words(ofSteps steps: Double) -> String {
    "\(fixed(steps, 1)) steps (a just noticeable fault is one)"
  }
}
