/// The result of an import.
public struct ImportReport: Codable, Equatable, Sendable {
  public var dataset: String
  public var licence: String
  /// Number of clips in the data set.
  public var found = 0
  /// Ids of the new recordings.
  public var imported: [String] = []
  /// Ids that the corpus had already; those recordings are unchanged.
  public var present: [String] = []
  /// Number of new recordings with each kind of annotation.
  public var annotated: [String: Int] = [:]
  /// Paths that are missing from the data set. A clip without its sound is left out; one without an
  /// annotation is imported without it.
  public var missing: [String] = []
  /// Clips left out because their sound or an annotation can't be read.
  public var refused: [Refusal] = []
  /// Clips whose sound file deviates from its format, and how; they are imported.
  public var remarks: [Refusal] = []

  public struct Refusal: Codable, Equatable, Sendable {
    public var id: String
    public var reason: String
  }
}
