import Platform

/// One headline number.
package struct Headline: Sendable {
  package var title: String
  package var amount: Amount
  package var unit: String
  package var interval: Bounds?
  /// Number of measured items, such as 48.
  package var count: Int
  /// Kind of the counted items, such as `cells`.
  var counted: String
  package var style: NumberStyle
  /// Change from the baseline, in words; empty without one.
  package var change: String
  /// Something else that a reader has to know of the number; empty if nothing.
  package var remark: String
  /// Address of the details within the report.
  var link: String?
  /// Scale of the number; `nil` if no limits are known.
  package var scale: QualityScale?

  /// Grade by the scale; `nil` without a value or a scale.
  package var grade: QualityScale.Grade? {
    guard let scale, let value = amount.value else { return nil }
    return scale.grade(value)
  }

  init(
    _ title: String, _ amount: Amount, unit: String, interval: Bounds? = nil, count: Int,
    counted: String = "cells", style: NumberStyle = .significant(3), change: String = "",
    remark: String = "", link: String? = nil, scale: QualityScale? = nil
  ) {
    (self.title, self.amount, self.unit, self.interval) = (title, amount, unit, interval)
    (self.count, self.counted, self.style) = (count, counted, style)
    (self.change, self.remark, self.link, self.scale) = (change, remark, link, scale)
  }
}

extension Headline: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let headline: JSONObject = [
      "title": title, "value": amount, "unit": unit, "interval": interval, "count": count,
      "counted": counted, "change": change, "remark": remark, "grade": grade, "scale": scale,
    ]
    try headline.encode(to: encoder)
  }
}
