/// A performance or setting that the singer can't render.
public enum SingerError: Error, Equatable, CustomStringConvertible {
  case outOfRange(String, Double, ClosedRange<Double>)
  /// Two consecutive events overlap.
  case overlap(String, atSeconds: Double)
  case unknownPerformance(String)

  public var description: String {
    switch self {
    case .outOfRange(let setting, let value, let allowed):
      "\(setting) is \(value); choose \(allowed.lowerBound) to \(allowed.upperBound)"
    case .overlap(let what, let time):
      "\(what) at \(time) s begins before the previous one ends; sort them or shorten the earlier one"
    case .unknownPerformance(let id):
      "the songbook has no performance called \(id); choir synth --list names all"
    }
  }
}

func require(
  _ setting: String, _ value: Double, in allowed: ClosedRange<Double>
) throws(SingerError) {
  guard allowed.contains(value) else { throw .outOfRange(setting, value, allowed) }
}
