/// The unit of a parameter, from the suffix of its name.
public struct ParameterUnit: Equatable, Sendable {
  /// The unit's symbol; empty for a plain number.
  public let symbol: String
  /// Other units allowed after a value, with their factors to this unit.
  let others: [Spelling]

  struct Spelling: Equatable, Sendable {
    var symbol: String
    var factor: Double
  }

  /// Makes the unit of a parameter; one without a suffix is a ratio.
  public init(ofParameter name: String) {
    let known = Self.endings.first { name.hasSuffix($0.ending) || name == $0.ending.lowercased() }
    self = known?.unit ?? ParameterUnit("", [("%", 0.01)])
  }

  private init(_ symbol: String, _ others: [(String, Double)] = []) {
    self.symbol = symbol
    self.others = others.map { Spelling(symbol: $0.0, factor: $0.1) }
  }

  private static let endings: [(ending: String, unit: ParameterUnit)] = [
    ("Hz", ParameterUnit("Hz", [("kHz", 1000)])),
    ("Ms", ParameterUnit("ms", [("s", 1000)])),
    ("Seconds", ParameterUnit("s", [("ms", 0.001)])),
    ("Db", ParameterUnit("dB")),
    ("Cents", ParameterUnit("cents", [("ct", 1), ("st", 100)])),
    ("Semitones", ParameterUnit("st", [("cents", 0.01), ("ct", 0.01)])),
    ("Percent", ParameterUnit("%")),
    ("Degrees", ParameterUnit("°", [("deg", 1)])),
    ("Octaves", ParameterUnit("oct")),
    ("Bits", ParameterUnit("bit", [("bits", 1)])),
    ("Bpm", ParameterUnit("bpm")),
    ("Samples", ParameterUnit("samples")),
  ]

  /// The symbols allowed after a value; the first is the unit itself.
  public var symbols: [String] { (symbol.isEmpty ? [] : [symbol]) + others.map(\.symbol) }

  /// The size of one `symbol` in this unit, ignoring case; `nil` for another unit.
  public func factor(of symbol: String) -> Double? {
    let wanted = symbol.lowercased()
    if wanted == self.symbol.lowercased() { return 1 }
    return others.first { $0.symbol.lowercased() == wanted }?.factor
  }
}
