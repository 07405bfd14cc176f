/// Trust that a metric deserves on a class of recordings, as `choir-dev metrics validate` measured it.
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
  public func grade(on kind: RecordingClass) -> MetricGrade? {
    GradeTable.shared.nearest(id, kind)
  }

  /// True if its figures may rank one system above another: an axis of `tune`, a headline. This is
  /// the only place that asks for a grade before such a decision.
  ///
  /// A gate compares a subject with itself, so an offset of the metric cancels, and the noise is
  /// measured. It judges every figure that has a value.
  ///
  /// A metric that no ladder tries (cost, stereo, contracts, note changes) decides by its own tests,
  /// and so do all metrics where the class is not known.
  public func decides(on kind: RecordingClass?) -> Bool {
    guard let kind, GradeTable.shared.knows(id) else { return true }
    return grade(on: kind) == .decides
  }

  /// `decides(on:)` of the metric with an id.
  public static func decides(_ id: String, on kind: RecordingClass?) -> Bool {
    metric(id: id)?.decides(on: kind) ?? true
  }
}
