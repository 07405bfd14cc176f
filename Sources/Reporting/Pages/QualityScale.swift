import Tuning

/// The scale of a headline number: its limits of good and fair, with their source.
package struct QualityScale: Sendable, Encodable {
  package enum Grade: String, Sendable, Codable { case good, fair, poor }

  /// Limit of good values: an upper one, or a lower one if more is better.
  let good: Double
  /// Limit of fair values: an upper one, or a lower one if more is better.
  let fair: Double
  let moreIsBetter: Bool
  let unit: String
  /// Meaning of the limits, in words.
  let meaning: String
  /// Source of the limits.
  let source: String

  private enum CodingKeys: CodingKey { case good, fair, moreIsBetter, meaning, source }

  func grade(_ value: Double) -> Grade {
    let (value, good, fair) =
      moreIsBetter ? (-value, -good, -fair) : (abs(value), self.good, self.fair)
    return value <= good ? .good : value <= fair ? .fair : .poor
  }

  /// The limits in words: `good up to 10 cents, fair up to 25`.
  var limits: String {
    let style = NumberStyle.setting
    let word = moreIsBetter ? "from" : "up to"
    let unit = unit.isEmpty ? "" : " \(unit)"
    return "good \(word) \(style.text(good))\(unit), fair \(word) \(style.text(fair))"
  }

  /// Returns the scale of each headline number; for intelligibility that of ESTOI.
  /// `docs/reference/report.md` has the same table.
  static func of(_ axis: TuneAxis) -> QualityScale? {
    switch axis {
    case .missing, .gross:
      QualityScale(
        good: TuneGoal.defaultLostLimitPercent, fair: 5, moreIsBetter: false, unit: "% of frames",
        meaning:
          "1 % is 10 ms in a second; gaps are heard from 2 to 6 ms, wrong notes as soon as they "
          + "have a pitch",
        source: "limits of this project; Snell and Hu 1995; Preis and Terhardt 1989")
    case .tremolo:
      QualityScale(
        good: 0.87, fair: 1.23, moreIsBetter: false, unit: "dB",
        meaning:
          "a slow swing of the level by 0.87 to 1.23 dB is just noticeable, a faster one is "
          + "weighted by the ear's sensitivity to its rate",
        source: "Viemeister 1979")
    case .pitch:
      QualityScale(
        good: 10, fair: 25, moreIsBetter: false, unit: "cents",
        meaning: "melodies that differ by less than 10 to 20 cents sound the same; from 25 cents "
          + "singing is heard as out of tune",
        source: "Parncutt and Cohen 1995; Larrouy-Maestri 2018, doi 10.1177/2059204318784582")
    case .latency:
      QualityScale(
        good: 10, fair: 30, moreIsBetter: false, unit: "ms",
        meaning:
          "players rate 10 ms no worse than none; 20 to 30 ms are just noticeable in continuous "
          + "playing. For in-ear monitoring of one's own voice, 5 ms are advised",
        source: "Jack, Mehrabi, Stockman and McPherson 2018; Mäki-Patola and Hämäläinen 2004; "
          + "Yamaha, Audio quality, 5.5")
    case .formants:
      QualityScale(
        good: 5, fair: 8, moreIsBetter: false, unit: "%",
        meaning:
          "a change of the vocal tract's length by about 5 % is just noticeable in syllables, by "
          + "about 8 % in vowels",
        source:
          "Ives, Smith and Patterson 2005, doi 10.1121/1.2118427; Smith, Patterson and others 2005")
    case .intelligibility:
      QualityScale(
        good: 0.5, fair: 0.3, moreIsBetter: true, unit: "",
        meaning:
          "compared with an ideal singer at the same pitch, offline and psola reach 0.50 to 0.52 and "
          + "the delay line, which moves formants, 0.31 (median of nine voices); no study gives "
          + "limits for sung words",
        source: "measured with this toolkit: three synthetic recordings of words, −5, +4 and +7")
    case .cost:
      QualityScale(
        good: 1, fair: 10, moreIsBetter: false, unit: "% of a core",
        meaning:
          "70 % of a core, which leaves a margin for each block, runs seventy choirs at 1 % and "
          + "seven at 10 %",
        source: "arithmetic")
    default: nil
    }
  }
}
