/// A figure of one setting on one recording, with the voice that it is about.
struct TuneReading: Sendable {
  var value: Double
  /// Label of the worst voice; `nil` for the whole sound, and for latency and cost.
  var voice: String?
  /// True if the setting has no value there and that of another is assumed.
  var isAssumed = false

  /// The value, if it is the setting's own.
  var own: Double? { isAssumed ? nil : value }
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
  /// True if it is assumed to be that of another setting.
  var isAssumed = false

  /// The figure in a table of other recordings.
  var elsewhere: TuneFigure {
    TuneFigure(value: value, voice: voice, register: register, isElsewhere: true)
  }
}
