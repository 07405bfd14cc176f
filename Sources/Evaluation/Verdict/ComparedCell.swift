/// One cell as a comparison sees it: what it is matched by, and its figures.
public struct ComparedCell: Sendable {
  /// What the same cell of another run has in common with it.
  public struct Address: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public var recording: String
    public var condition: String
    public var score: String
    /// The subject and its settings, in their one spelling.
    public var configuration: String

    public init(recording: String, condition: String, score: String, configuration: String) {
      (self.recording, self.condition) = (recording, condition)
      (self.score, self.configuration) = (score, configuration)
    }

    public static func < (a: Self, b: Self) -> Bool {
      (a.configuration, a.score, a.recording, a.condition)
        < (b.configuration, b.score, b.recording, b.condition)
    }

    public var description: String {
      let through = condition == Condition.clean.canonical ? "" : condition
      return [recording, through, score, configuration].filter { !$0.isEmpty }
        .joined(separator: " · ")
    }
  }

  /// A metric of one voice, by the score's name for it, or of the whole.
  public struct FigureID: Codable, Hashable, Comparable, Sendable {
    public var metric: String
    public var voice: String?

    public init(_ metric: String, voice: String? = nil) {
      (self.metric, self.voice) = (metric, voice)
    }

    public static func < (a: Self, b: Self) -> Bool {
      (a.metric, a.voice ?? "") < (b.metric, b.voice ?? "")
    }
  }

  private enum Source: Sendable {
    case failed(String)
    case figures([FigureID: Measurement.Outcome])
    case result(CellResult)
  }

  public let address: Address
  /// Of the cell in its store, for `explain`; empty where it comes from elsewhere.
  public let key: String
  private let source: Source

  public init(_ address: Address, figures: [FigureID: Measurement.Outcome], key: String = "") {
    (self.address, self.key, source) = (address, key, .figures(figures))
  }

  /// - Parameter ignored: settings, or `subject`, by which cells are not told apart.
  public init(_ cell: CellResult, ignoring ignored: Set<String> = []) {
    let settings = cell.settings.filter { !ignored.contains($0.key) }.canonical
    let subject = ignored.contains(SettingSummary.subjectAxis) ? "" : cell.subject
    address = Address(
      recording: cell.recording, condition: cell.condition, score: cell.score.id,
      configuration: [subject, settings].filter { !$0.isEmpty }.joined(separator: " "))
    key = cell.key
    if case .failed(let reason) = cell.outcome {
      source = .failed(reason)
    } else {
      source = .result(cell)
    }
  }

  /// Why there are no figures.
  public var failure: String? { if case .failed(let reason) = source { reason } else { nil } }

  /// Every figure, with or without a value.
  public var figures: [FigureID: Measurement.Outcome] {
    switch source {
    case .failed: return [:]
    case .figures(let figures): return figures
    case .result(let cell):
      let labels = cell.score.voiceLabels
      var figures: [FigureID: Measurement.Outcome] = [:]
      for (metric, found) in cell.measurements {
        for measurement in found {
          let voice = measurement.voice.map { $0 < labels.count ? labels[$0] : "voice \($0 + 1)" }
          figures[FigureID(metric, voice: voice)] = measurement.outcome
        }
      }
      return figures
    }
  }
}

extension StoredRun {
  /// The cells as a comparison sees them.
  public func comparedCells(ignoring ignored: Set<String> = []) -> [ComparedCell] {
    cells.map { ComparedCell($0, ignoring: ignored) }
  }
}
