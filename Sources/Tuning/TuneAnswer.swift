import Corpus

/// What `tune` found: every setting with its figures, the front, and which one to ship.
public struct TuneAnswer: Encodable, Sendable {
  /// An axis as it was weighed.
  public struct Axis: Encodable, Sendable {
    public var axis: TuneAxis
    public var metric: String
    public var unit: String
    public var ideal: Double
    /// What is worth one unit of distance.
    public var scale: Double
    /// Whether it counts towards the front and the distance; otherwise it has a budget alone.
    public var isWeighed: Bool
  }

  /// Of one setting on one axis: the median over recordings.
  public struct Figure: Encodable, Sendable {
    public var value: Double
    public var interval: ClosedRange<Double>?
    public var recordings: Int
    /// Why there is no interval.
    public var note: String?
  }

  /// One way to set the subject.
  public struct Point: Encodable, Sendable {
    public var subject: String
    public var settings: SubjectSettings
    public var figures: [String: Figure]
    /// Axes on which it has no value, and why.
    public var undefined: [String: String]
    public var isOnFront: Bool
    /// Of the draws of recordings, the share in which it is on the front.
    public var frontShare: Double?
    /// Whether it is within all budgets.
    public var fits: Bool
    public var fitShare: Double?
    /// The sum of what it lacks, in units of the scales; `nil` where an axis is undefined.
    public var distance: Double?
    /// Of the draws, the share in which it is the one to choose.
    public var chosenShare: Double?
    /// By the law of the engine, on the same recordings; `nil` with a reason in `noLaw`.
    public var predictedLatencyMs: Double?
    public var impulseLatencyMs: Double?
    public var predictedImpulseLatencyMs: Double?
    public var noLaw: String?
    /// The round of the search after which it was no longer heard; from 1.
    public var droppedAfterRound: Int?
  }

  /// What to choose for some of the recordings.
  public struct Group: Encodable, Sendable {
    /// `voice`, `kind` or `register`.
    public var by: String
    public var name: String
    public var recordings: [String]
    /// Place in `points`; `nil` where no setting has all figures.
    public var chosen: Int?
    public var fits: Bool
    public var figures: [String: Figure]
    public var chosenShare: Double?
    public var note: String?
  }

  /// What the search spent.
  public struct Search: Encodable, Sendable {
    public var cells: Int
    public var gridCells: Int
    public var rounds: [SuccessiveHalving.Round]
  }

  public var axes: [Axis]
  /// Axes that were asked for and nothing in the run defines, with the reason.
  public var undefinedAxes: [String: String]
  public var budgets: [String: Double]
  /// In the order of the plan.
  public var points: [Point]
  /// Place in `points` of the setting to ship; `nil` where nothing fits.
  public var recommended: Int?
  /// Where nothing fits: what comes nearest, and by how much it misses each budget.
  public var nearestMiss: Int?
  public var misses: [String: Double]
  /// Draws of recordings behind the shares, and how many of them said something.
  public var draws: Int
  public var drawsUsed: Int
  public var recordings: [String]
  public var groups: [Group]
  /// By axis; those on which nothing varies are left out.
  public var sensitivity: [String: SettingSensitivity]
  /// Of the adaptive search.
  public var search: Search?

  /// What is recommended, or comes nearest.
  public var best: Int? { recommended ?? nearestMiss }
}
