import Foundation

/// The numbers behind the lanes.
extension LanePlot {
  func summary(id: String) -> Table {
    Table(
      id: id, title: "Each voice in numbers",
      columns: [
        .text("voice", "voice"), .number("frames", "frames with an error", style: .decimals(0)),
        .number("median_abs_cents", "median |error|", unit: "cents"),
        .number("p95_abs_cents", "p95 |error|", unit: "cents"),
        .number(
          "beyond_percent", "beyond ±\(NumberStyle.setting.text(rangeCents))", unit: "%"),
      ],
      rows: voices.map { voice in
        let errors = voice.frames.compactMap(\.errorCents).map(abs).sorted()
        let none = "no frame has both a target and a measured pitch"
        return [
          .text(voice.name), .amount(Amount(Double(errors.count))),
          .amount(Amount(Self.quantile(0.5, of: errors), otherwise: none)),
          .amount(Amount(Self.quantile(0.95, of: errors), otherwise: none)),
          .amount(Amount(shareBeyond(voice).map { $0 * 100 }, otherwise: none)),
        ]
      }, note: "Every frame is in the CSV file.")
  }

  /// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996).
  static func quantile(_ share: Double, of sorted: [Double]) -> Double? {
    guard let last = sorted.indices.last else { return nil }
    let place = share * Double(last)
    let (below, above) = (Int(place), min(Int(place) + 1, last))
    return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
  }

  func observations(id: String) -> Table {
    Table(
      id: id, title: "Every frame",
      columns: [
        .text("voice", "voice"), .number("time_s", "time", unit: "s"),
        .number("target_hz", "target", unit: "Hz"), .number("measured_hz", "measured", unit: "Hz"),
        .number("error_cents", "error", unit: "cents"),
      ],
      rows: voices.flatMap { voice in
        voice.frames.map { frame in
          [
            .text(voice.name), .amount(Amount(frame.timeS)),
            .amount(Amount(frame.targetHz, otherwise: "the voice rests")),
            .amount(Amount(frame.measuredHz, otherwise: "unvoiced")),
            .amount(Amount(frame.errorCents, otherwise: "no pitch to compare")),
          ]
        }
      })
  }
}
