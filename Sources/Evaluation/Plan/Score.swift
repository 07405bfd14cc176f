/// What the choir is to sing against the lead.
public struct Score: Codable, Equatable, Sendable {
  public var id: String
  /// One voice each, above the lead; negative is below.
  public var intervalsSemitones: [Double]

  public init(id: String, intervalsSemitones: [Double]) {
    self.id = id
    self.intervalsSemitones = intervalsSemitones
  }
}
