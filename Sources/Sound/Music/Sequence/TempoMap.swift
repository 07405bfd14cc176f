/// A tempo, from a beat on.
public struct TempoChange: BeatChange {
  public var atBeats: Double
  public var beatsPerMinute: Double

  public typealias Text = Double
  public static var listName: String { "tempo" }
  public var value: Double { beatsPerMinute }

  public init(atBeats: Double, beatsPerMinute: Double) {
    (self.atBeats, self.beatsPerMinute) = (atBeats, beatsPerMinute)
  }

  public init(atBeats: Double, value: Double) {
    self.init(atBeats: atBeats, beatsPerMinute: value)
  }

  public func validate(named name: String) throws(SequenceError) {
    try allow("\(name).beatsPerMinute", beatsPerMinute, in: TempoMap.tempi)
  }
}

/// The tempi of a sequence; converts beats to seconds and back.
///
/// A beat is a quarter note in any time signature, as in MIDI. Every time is computed from the
/// beginning, so rounding errors do not accumulate.
public typealias TempoMap = BeatMap<TempoChange>

extension TempoMap {
  /// The allowed tempi, in beats per minute.
  public static var tempi: ClosedRange<Double> { 1...1000 }

  public init(beatsPerMinute: Double) throws(SequenceError) {
    try self.init([TempoChange(atBeats: 0, beatsPerMinute: beatsPerMinute)])
  }

  public func seconds(atBeats beats: Double) -> Double {
    let (change, start) = starts.last { $0.change.atBeats <= beats } ?? starts[0]
    return start + (beats - change.atBeats) * 60 / change.beatsPerMinute
  }

  /// The changes with their times.
  private var starts: [(change: TempoChange, seconds: Double)] {
    var seconds = 0.0
    return changes.indices.map { index in
      if index > 0 {
        let before = changes[index - 1]
        seconds += (changes[index].atBeats - before.atBeats) * 60 / before.beatsPerMinute
      }
      return (changes[index], seconds)
    }
  }
}
