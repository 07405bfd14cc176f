import Corpus
import Metrics

/// The answer of `tune`: every setting with its figures, the front and the recommended setting.
public struct TuneAnswer: Encodable, Sendable {
  /// An axis as it was used.
  public struct Axis: Encodable, Sendable {
    public var axis: TuneAxis
    public var metric: String
    public var unit: String
    public var ideal: Double
    /// Difference that costs one unit of distance.
    public var scale: Double
    /// True if it counts towards the front and the distance; otherwise it only has a budget.
    public var isWeighed: Bool
  }

  /// A setting's figure on one axis: the median over recordings.
  public struct Figure: Encodable, Sendable {
    public var value: Double
    public var interval: ClosedRange<Double>?
    public var recordings: Int
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
    public var isOnFront: Bool
    /// Share of draws of recordings in which it is on the front.
    public var frontShare: Double?
    /// True if it is within all budgets.
    public var fits: Bool
    public var fitShare: Double?
    /// Sum of the shortfalls in units of the scales; `nil` if an axis is undefined.
    public var distance: Double?
    /// Share of draws in which it is recommended.
    public var chosenShare: Double?
    /// Latency by the engine's law on the same recordings; `nil` with a reason in `noLaw`.
    public var predictedLatencyMs: Double?
    public var impulseLatencyMs: Double?
    public var predictedImpulseLatencyMs: Double?
    public var noLaw: String?
    /// Round of the search, from 1, after which it was dropped.
    public var droppedAfterRound: Int?
  }

  /// The recommended setting for a group of recordings.
  public struct Group: Encodable, Sendable {
    /// `voice`, `kind` or `register`.
    public var by: String
    public var name: String
    public var recordings: [String]
    /// Index in `points`; `nil` if no setting has all figures.
    public var chosen: Int?
    public var fits: Bool
    public var figures: [String: Figure]
    public var chosenShare: Double?
    public var note: String?
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
  /// Index in `points` of the recommended setting; `nil` if none is within all budgets.
  public var recommended: Int?
  /// Index of the setting nearest to the budgets if none is within all of them.
  public var nearestMiss: Int?
  /// Amount by which that setting misses each budget.
  public var misses: [String: Double]
  /// Number of draws of recordings; `drawsUsed` counts those in which some setting has all figures.
  public var draws: Int
  public var drawsUsed: Int
  public var recordings: [String]
  public var groups: [Group]
  /// Sensitivity by axis; an axis on which nothing varies is left out.
  public var sensitivity: [String: SettingSensitivity]
  /// Cost of the adaptive search, if there was one.
  public var search: Search?

  /// Index of the recommended setting, or of the nearest miss.
  public var best: Int? { recommended ?? nearestMiss }
}
