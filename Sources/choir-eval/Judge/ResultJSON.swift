import Metrics

/// A metric's result in JSON: a value, or null with its reason.
struct ResultJSON<Voice: Encodable>: Encodable {
  /// `nil` for the whole sound.
  var voice: Voice?
  private var value: Double?
  private var undefined: String?
  private var count: Int

  init(_ result: MetricResult, voice: Voice?) {
    (self.voice, count) = (voice, result.count)
    switch result.outcome {
    case .value(let number): value = number
    case .undefined(let reason): undefined = reason.detail
    }
  }

  private enum Key: CodingKey { case voice, value, undefined, count }

  /// Encodes a missing value as null, which differs from a missing key.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(voice, forKey: .voice)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(undefined, forKey: .undefined)
    try container.encode(count, forKey: .count)
  }
}
