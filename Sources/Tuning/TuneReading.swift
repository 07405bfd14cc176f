/// A figure of one setting on one recording, with the voice that it is about.
struct TuneReading: Sendable {
  var value: Double
  /// Label of the worst voice; `nil` for the whole sound, and for latency and cost.
  var voice: String?
}

/// The figure of one setting: a reading, and where it was taken.
struct TuneFigure: Sendable {
  var value: Double
  var voice: String?
  /// Column of the recording; `nil` for a median over several.
  var column: Int?
  var register: String?
  /// True if it was taken on recordings that a table does not have.
  var isElsewhere = false

  /// The figure in a table of other recordings.
  var elsewhere: TuneFigure {
    TuneFigure(value: value, voice: voice, register: register, isElsewhere: true)
  }
}
