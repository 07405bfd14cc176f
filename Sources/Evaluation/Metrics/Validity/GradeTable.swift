/// The grades of all metrics on all classes of recordings that were tried.
///
/// `choir-dev metrics validate --write` makes the table, with docs/data/validity.csv.
public struct GradeTable: Sendable {
  public static let shared = GradeTable(parsing: text)

  static let text = String(decoding: PackageResources.grades_txt, as: UTF8.self)

  private let grades: [String: [RecordingClass: MetricGrade]]

  /// - Parameter text: a line for each metric and grade: its id, the grade and the classes, separated
  ///   by spaces. Lines of another form are left out.
  init(parsing text: String) {
    var grades: [String: [RecordingClass: MetricGrade]] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, let grade = MetricGrade(rawValue: words[1]) else { continue }
      for kind in words.dropFirst(2).compactMap({ RecordingClass($0) }) {
        grades[words[0], default: [:]][kind] = grade
      }
    }
    self.grades = grades
  }

  public subscript(metric: String, kind: RecordingClass) -> MetricGrade? { grades[metric]?[kind] }

  /// Returns the grade on a class, or on the nearest register of the same material that has one.
  func nearest(_ metric: String, _ kind: RecordingClass) -> MetricGrade? {
    let registers = RecordingClass.Register.allCases
    let own = registers.firstIndex(of: kind.register)!
    return registers.indices.sorted { (abs($0 - own), $0) < (abs($1 - own), $1) }
      .compactMap { self[metric, RecordingClass(kind.material, registers[$0])] }.first
  }

  /// The lines of metrics that have no value on a class, because they are not valid there.
  static var invalid: String {
    text.split(separator: "\n").filter { $0.contains(" \(MetricGrade.invalid.rawValue) ") }
      .joined(separator: "\n")
  }

  /// True if a metric was tried on any class.
  func knows(_ metric: String) -> Bool { grades[metric] != nil }
}
