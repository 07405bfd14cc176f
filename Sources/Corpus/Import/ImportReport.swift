/// What an import took, and what it could not.
public struct ImportReport: Codable, Equatable, Sendable {
  public var dataset: String
  public var licence: String
  /// Clips in the data set.
  public var found = 0
  /// Ids of new recordings.
  public var imported: [String] = []
  /// Ids that the corpus had already; they are not touched.
  public var present: [String] = []
  /// How many of the new recordings have each kind of annotation.
  public var annotated: [String: Int] = [:]
  /// Paths that should be in the data set and are not. A clip without its sound is left out; one
  /// without an annotation is imported without it.
  public var missing: [String] = []
  /// Clips left out because something about them can't be understood.
  public var refused: [Refusal] = []

  public struct Refusal: Codable, Equatable, Sendable {
    public var id: String
    public var reason: String
  }

  init(dataset: String, licence: String) {
    self.dataset = dataset
    self.licence = licence
  }
}
