import Foundation

/// An axis of a figure.
struct Axis: Equatable, Sendable {
  enum Scale: Equatable, Sendable { case linear, logarithmic }

  /// Title without the unit, such as `window`.
  var title: String
  /// Unit, such as `ms`; empty for a ratio.
  var unit: String
  var scale: Scale
  /// Values that must be visible besides the data; 0 for a quantity that is read as a length.
  var including: [Double]

  init(_ title: String, unit: String, scale: Scale = .linear, including: [Double] = []) {
    (self.title, self.unit, self.scale, self.including) = (title, unit, scale, including)
  }

  /// Title with the unit: `window, ms`.
  var label: String { unit.isEmpty ? title : "\(title), \(unit)" }

  /// Name in CSV and JSON: `window_ms`.
  var columnName: String { Table.Column.name(title, unit: unit) }

  /// True if a value has a place on this axis; a logarithmic axis has none for zero and less.
  func shows(_ value: Double) -> Bool { value.isFinite && (scale == .linear || value > 0) }

  /// Returns range and ticks for `values`, and ignores those without a place.
  func extent(of values: [Double], ticks count: Int) -> AxisExtent {
    let shown = (values + including).filter(shows)
    let low = shown.min() ?? (scale == .linear ? 0 : 1)
    let high = shown.max() ?? (scale == .linear ? 1 : 10)
    switch scale {
    case .linear: return .linear(low, high, ticks: count)
    case .logarithmic: return .logarithmic(low, high, ticks: count)
    }
  }
}

/// The range and the ticks of an axis.
struct AxisExtent: Equatable {
  let low: Double
  let high: Double
  let ticks: [Double]
  let isLogarithmic: Bool

  /// Returns ticks at multiples of 1, 2 or 5 times a power of ten. The range ends on a tick if one is
  /// near, else with a margin of 6 %.
  static func linear(_ low: Double, _ high: Double, ticks count: Int) -> AxisExtent {
    let span = high > low ? high - low : max(abs(high) * 0.2, 1e-9)
    let rough = span / Double(max(count - 1, 1))
    let decade = pow(10, floor(log10(rough)))
    let step = ([1, 2, 5, 10].first { $0 * decade >= rough * 0.999 } ?? 10) * decade
    let first = Int(floor(low / step + 1e-9))
    let last = max(Int(ceil(high / step - 1e-9)), first + 1)
    // Dividing by the step's reciprocal keeps 0.3 from becoming 0.30000000000000004.
    let ticks = (first...last).map {
      step < 1 ? Double($0) / (1 / step).rounded(digits: 9) : Double($0) * step
    }
    let ends = (
      low: max(ticks[0], low - 0.06 * span), high: min(ticks[ticks.count - 1], high + 0.06 * span)
    )
    return AxisExtent(
      low: ends.low, high: ends.high, ticks: ticks.filter { ends.low <= $0 && $0 <= ends.high },
      isLogarithmic: false)
  }

  /// Returns a range with these ends, such as a time, and ticks at round numbers within it.
  static func between(
    _ low: Double, _ high: Double, _ size: PlotSize, narrowTicks: Int = 5
  ) -> AxisExtent {
    let round = linear(low, high, ticks: size == .wide ? 8 : narrowTicks)
    return AxisExtent(
      low: low, high: high, ticks: round.ticks.filter { low <= $0 && $0 <= high },
      isLogarithmic: false)
  }

  /// Returns ticks at 1, 2, 5 or a similar pattern in each decade, or in even steps for a short range,
  /// with a margin of 4 % around the data.
  static func logarithmic(_ low: Double, _ high: Double, ticks count: Int) -> AxisExtent {
    let ratio = max(high / low, 1.2)
    let air = pow(ratio, 0.04)
    let bounds = (low: low / air, high: high * air)
    let decades = Int(floor(log10(bounds.low)))...Int(ceil(log10(bounds.high)))
    // The first of two patterns equally near the wanted count is taken.
    let patterns = [[1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 3], [1]].map { pattern in
      decades.flatMap { decade in pattern.map { $0 * pow(10, Double(decade)) } }
    }
    let even = ratio < 4 ? [linear(low, high, ticks: count).ticks] : []
    let candidates = (even + patterns).map { ticks in
      ticks.filter { bounds.low <= $0 && $0 <= bounds.high }
    }
    let ticks = candidates.min { abs($0.count - count) < abs($1.count - count) } ?? []
    return AxisExtent(low: bounds.low, high: bounds.high, ticks: ticks, isLogarithmic: true)
  }

  /// Returns the position of `value`, from 0 at `low` to 1 at `high`.
  func fraction(_ value: Double) -> Double {
    isLogarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low)
  }

  /// Returns the same range with ticks at `values`, such as the settings of a sweep; leaves out a tick
  /// that is closer than `apart`, a share of the axis, to the one before.
  func ticks(at values: [Double], apart: Double) -> AxisExtent {
    var kept: [Double] = []
    for value in values.sorted() where value >= low && value <= high {
      if let last = kept.last, fraction(value) - fraction(last) < apart { continue }
      kept.append(value)
    }
    return AxisExtent(low: low, high: high, ticks: kept, isLogarithmic: isLogarithmic)
  }

  /// Returns the ticks in gnuplot's syntax, with names only if `isNamed`.
  func gnuplotTicks(isNamed: Bool = true) -> String {
    ticks.map { "\(quoted(isNamed ? NumberStyle.setting.text($0) : "")) \($0)" }
      .joined(separator: ", ")
  }
}

extension Double {
  fileprivate func rounded(digits: Int) -> Double {
    let scale = pow(10, Double(digits))
    return (self * scale).rounded() / scale
  }
}
