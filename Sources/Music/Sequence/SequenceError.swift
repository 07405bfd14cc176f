import DSP

/// Why a sequence can't be played; each case names the place and the way out.
public enum SequenceError: Error, Equatable, Sendable, CustomStringConvertible {
  case setting(SettingsError)
  /// Of `tempo` or `timeSignature`.
  case firstIsLate(String)
  case notRising(String, atBeats: Double, after: Double)
  case timeSignature(String)
  case betweenKeys(String, NoteNumber)
  /// A MIDI file has a channel for each note that is bent by itself.
  case tooManyBends(atBeats: Double, limit: Int)
  case loopIsEmpty(fromBeats: Double, toBeats: Double)

  public var description: String {
    switch self {
    case .setting(let error): error.description
    case .firstIsLate(let list): "the first \(list) must be at beat 0"
    case .notRising(let list, let beats, let before):
      "a \(list) at beat \(beats) follows one at beat \(before); put them in order of time"
    case .timeSignature(let text):
      "'\(text)' is no time signature; write 1 to 64 over 1, 2, 4, 8, 16 or 32, such as 6/8"
    case .betweenKeys(let place, let note):
      "\(place) is \(note), between two keys; choose a whole number from 0 to 127"
    case .tooManyBends(let beats, let limit):
      "more than \(limit) notes that are bent sound at beat \(beats), and a MIDI file has no more "
        + "channels for them; bend fewer at once"
    case .loopIsEmpty(let from, let to):
      "the loop from beat \(from) to beat \(to) is empty; let it end later than it begins"
    }
  }
}

/// As `require`, for sequences.
func allow(
  _ setting: String, _ value: Double, in allowed: ClosedRange<Double>
) throws(SequenceError) {
  do { try require(setting, value, in: allowed) } catch { throw .setting(error) }
}

extension SingleValueDecodingContainer {
  /// What is wrong with the value at this place.
  func problem(_ error: SequenceError) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: error.description)
  }
}
