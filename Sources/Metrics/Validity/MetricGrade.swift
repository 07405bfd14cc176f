/// Trust that a metric deserves on a class of recordings, as `choir-eval metrics validate` found it.
public enum MetricGrade: String, Codable, CaseIterable, Sendable {
  /// It ranks known systems and known damage as it should, far above its own noise.
  case decides
  /// It follows what it measures, but not well enough to decide.
  case describes
  /// It doesn't follow what it measures.
  case invalid

  /// The grade in the words of the documentation.
  public var words: String {
    switch self {
    case .decides: "decides"
    case .describes: "describes"
    case .invalid: "not valid here"
    }
  }
}

extension Metric {
  /// Grade on a class of recordings; `nil` if it was not tried there, or had no value.
  public func grade(on kind: RecordingClass) -> MetricGrade? { GradeTable.shared[id, kind] }
}
