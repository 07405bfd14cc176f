/// The unit of a parameter, which the ending of its name says.
public struct EffectUnit: Equatable, Sendable {
  /// As people write it; empty for a plain number.
  public let symbol: String
  /// What else may be written after a value, and how many of this unit it is.
  let others: [Spelling]

  struct Spelling: Equatable, Sendable {
    var symbol: String
    var factor: Double
  }

  /// A parameter without an ending is a ratio.
  public init(ofParameter name: String) {
    let found = Self.endings.first { name.hasSuffix($0.ending) || name == $0.ending.lowercased() }
    self = found?.unit ?? EffectUnit("", [("%", 0.01)])
  }

  private init(_ symbol: String, _ others: [(String, Double)] = []) {
    self.symbol = symbol
    self.others = others.map { Spelling(symbol: $0.0, factor: $0.1) }
  }

  private static let endings: [(ending: String, unit: EffectUnit)] = [
    ("Hz", EffectUnit("Hz", [("kHz", 1000)])),
    ("Ms", EffectUnit("ms", [("s", 1000)])),
    ("Seconds", EffectUnit("s", [("ms", 0.001)])),
    ("Db", EffectUnit("dB")),
    ("Cents", EffectUnit("cents", [("ct", 1), ("st", 100)])),
    ("Semitones", EffectUnit("st", [("cents", 0.01), ("ct", 0.01)])),
    ("Percent", EffectUnit("%")),
    ("Degrees", EffectUnit("°", [("deg", 1)])),
    ("Octaves", EffectUnit("oct")),
    ("Bits", EffectUnit("bit", [("bits", 1)])),
    ("Bpm", EffectUnit("bpm")),
    ("Samples", EffectUnit("samples")),
  ]

  /// What may stand after a value; the first is the unit itself.
  public var symbols: [String] { (symbol.isEmpty ? [] : [symbol]) + others.map(\.symbol) }

  /// How many of this unit one of `symbol` is, in any case of letters; `nil` for another unit.
  func factor(of symbol: String) -> Double? {
    let wanted = symbol.lowercased()
    if wanted == self.symbol.lowercased() { return 1 }
    return others.first { $0.symbol.lowercased() == wanted }?.factor
  }
}
