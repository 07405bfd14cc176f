import Corpus

/// A metric of one voice, or of the whole output.
public struct FigureID: Codable, Hashable, Comparable, Sendable {
  public var metric: String
  /// The score's name of the voice; `nil` for the whole output.
  public var voice: String?

  public init(_ metric: String, voice: String? = nil) {
    (self.metric, self.voice) = (metric, voice)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.metric, a.voice ?? "") < (b.metric, b.voice ?? "")
  }
}

/// A figure at a place: a metric of one voice, under one score and configuration, over all
/// recordings.
public struct FigureKey: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public var figure: FigureID
  public var score: String
  /// The subject and its settings, in their canonical spelling.
  public var configuration: String

  public init(_ figure: FigureID, score: String, configuration: String) {
    (self.figure, self.score, self.configuration) = (figure, score, configuration)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.figure.metric, a.score, a.configuration, a.figure.voice ?? "")
      < (b.figure.metric, b.score, b.configuration, b.figure.voice ?? "")
  }

  public var description: String {
    [figure.metric, figure.voice, score, configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// The address of a cell, by which cells of two runs are matched.
public struct CellAddress: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public var recording: String
  public var condition: String
  public var score: String
  /// The subject and its settings, in their canonical spelling.
  public var configuration: String

  public static func < (a: Self, b: Self) -> Bool {
    (a.configuration, a.score, a.recording, a.condition)
      < (b.configuration, b.score, b.recording, b.condition)
  }

  /// The key of one of the cell's figures.
  public func key(of figure: FigureID) -> FigureKey {
    FigureKey(figure, score: score, configuration: configuration)
  }

  public var description: String {
    [Condition.place(recording, condition), score, configuration].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }
}
