import Metrics
import Platform

/// A number, or the reason for its absence; never NaN or a stand-in value.
package struct Amount: Equatable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  package let value: Double?
  /// Reason for a missing value; `nil` if there is a value.
  let reason: Undefined?

  /// Creates an amount of `value`, or with a reason if it is missing or not finite.
  init(_ value: Double?, otherwise reason: Undefined) {
    let finite = value.flatMap { $0.isFinite ? $0 : nil }
    self.value = finite
    self.reason = finite == nil ? reason : nil
  }

  /// Creates an amount of `value`, or with a reason that a subject could have avoided.
  init(_ value: Double?, otherwise reason: String = "not measured") {
    self.init(value, otherwise: Undefined(.notMeasured, reason))
  }

  /// The kind of reason for a missing value.
  enum Gap: String {
    /// A value was possible, but this subject or this run gave none.
    case missing
    /// No subject could give a value: the recording or the score has nothing of the kind.
    case doesNotApply = "doesn't apply"
  }

  /// Kind of the reason; `nil` if there is a value.
  var gap: Gap? {
    reason.map { $0.doesNotApply ? .doesNotApply : .missing }
  }

  /// The reason after its kind: `doesn't apply: the score moves no note`.
  package var reasonInWords: String? {
    gap.map { gap in "\(gap.rawValue): \(reason?.detail ?? "")" }
  }

  static func undefined(_ reason: Undefined) -> Amount { Amount(nil, otherwise: reason) }
  static func undefined(_ reason: String) -> Amount { Amount(nil, otherwise: reason) }

  package init(floatLiteral value: Double) { self.init(value) }
  package init(integerLiteral value: Int) { self.init(Double(value)) }
}

/// A confidence interval or range around an amount, in the amount's unit.
package struct Bounds: Equatable, Sendable, Encodable {
  var low: Double
  var high: Double
  /// Meaning of the ends, such as `95 % bootstrap over recordings`.
  var meaning: String

  /// Creates bounds; `nil` unless both ends are finite and in order.
  init?(_ low: Double, _ high: Double, meaning: String) {
    guard low.isFinite, high.isFinite, low <= high else { return nil }
    (self.low, self.high, self.meaning) = (low, high, meaning)
  }

  init?(_ interval: ClosedRange<Double>?, meaning: String) {
    guard let interval else { return nil }
    self.init(interval.lowerBound, interval.upperBound, meaning: meaning)
  }
}

extension Amount: Encodable {
  /// Encodes a bare number, or `{"value": null, "undefined": reason}`.
  package func encode(to encoder: any Encoder) throws {
    if let value { return try value.encode(to: encoder) }
    let missing: JSONObject = [
      "value": JSONObject.orNull(nil), "undefined": JSONObject.orNull(reason?.detail),
    ]
    try missing.encode(to: encoder)
  }
}
