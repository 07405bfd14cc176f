import DSP

/// A reason why a sequence can't be played. Each case names the place and the remedy.
public enum SequenceError: Error, Equatable, Sendable, CustomStringConvertible {
  case setting(SettingsError)
  /// The first entry of a list, `tempo` or `timeSignature`, begins after beat 0.
  case firstIsLate(String)
  case notRising(String, atBeats: Double, after: Double)
  case timeSignature(String)
  case betweenKeys(String, NoteNumber)

  public var description: String {
    switch self {
    case .setting(let error): error.description
    case .firstIsLate(let list): "the first \(list) must be at beat 0; move it there"
    case .notRising(let list, let beats, let before):
      "a \(list) at beat \(beats) follows one at beat \(before); sort them by time"
    case .timeSignature(let text):
      "'\(text)' is no time signature; write 1 to 64 over 1, 2, 4, 8, 16 or 32, such as 6/8"
    case .betweenKeys(let place, let note):
      "\(place) is \(note), between two keys; choose a whole number from 0 to 127"
    }
  }
}

/// Throws unless a setting of a sequence lies in its range.
func allow(
  _ setting: String, _ value: Double, in allowed: ClosedRange<Double>
) throws(SequenceError) {
  do { try require(setting, value, in: allowed) } catch { throw .setting(error) }
}
