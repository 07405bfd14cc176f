/// The state of one MIDI channel after pitch wheel and controllers: the bend of its notes, and its
/// sustain pedal.
///
/// The wheel's range is ±2 semitones unless registered parameter 0 changes it. Parameters 1 and 2,
/// fine and coarse tuning, also move the notes. Controller 121 resets the wheel, the pedal and the
/// parameter number, but not the parameters' values.
///
/// - Source: MIDI Manufacturers Association, "MIDI 1.0 Detailed Specification" 4.2; data increment
///   and decrement: RP-018; reset of all controllers: RP-015.
struct MIDIChannel: Equatable, Sendable {
  /// Position of the wheel, -8192 to 8191.
  private var wheel = 0
  private var rangeSemitones = 2
  private var rangeCents = 0
  /// Fine tuning in 14 bits; the middle is none, and the ends are a semitone away.
  private var fineTuning = 8192
  /// Coarse tuning in semitones; the middle, 64, is none.
  private var coarseTuning = 64
  private(set) var pedalIsDown = false

  /// The parameter that data entry changes.
  private enum Parameter: Equatable {
    /// A registered parameter, as two halves of 7 bits.
    case registered(high: Int, low: Int)
    /// A manufacturer's own parameter.
    case other
  }
  private var parameter = Parameter.registered(high: 127, low: 127)  // none

  /// Distance of the channel's notes from their keys.
  var bendSemitones: Double {
    let range = Double(rangeSemitones) + Double(rangeCents) / 100
    return Double(wheel) / 8192 * range + Double(fineTuning - 8192) / 8192
      + Double(coarseTuning - 64)
  }

  /// Applies an event; returns false if events of its kind are not supported.
  mutating func process(_ event: MIDIFile.Event) -> Bool {
    switch event {
    case .pitchBend(_, let value): wheel = value - 8192
    case .controller(_, let number, let value): return process(controller: number, value)
    default: return false
    }
    return true
  }

  private mutating func process(controller number: Int, _ value: Int) -> Bool {
    switch number {
    case 6: return enter(high: value)
    case 38: return enter(low: value)
    case 64: pedalIsDown = value >= 64
    case 96: return step(by: 1)
    case 97: return step(by: -1)
    case 98, 99: parameter = .other
    case 100: parameter = .registered(high: chosen.high, low: value)
    case 101: parameter = .registered(high: value, low: chosen.low)
    case 121:
      (wheel, pedalIsDown) = (0, false)
      parameter = .registered(high: 127, low: 127)
    default: return false
    }
    return true
  }

  private var chosen: (high: Int, low: Int) {
    if case .registered(let high, let low) = parameter { (high, low) } else { (127, 127) }
  }

  /// - Returns: true if the parameter is supported, or if none is selected.
  private mutating func enter(high value: Int) -> Bool {
    switch parameter {
    case .registered(high: 0, low: 0): (rangeSemitones, rangeCents) = (value, 0)
    case .registered(high: 0, low: 1): fineTuning = value << 7
    case .registered(high: 0, low: 2): coarseTuning = value
    default: return isNone
    }
    return true
  }

  private mutating func enter(low value: Int) -> Bool {
    switch parameter {
    case .registered(high: 0, low: 0): rangeCents = min(value, 99)
    case .registered(high: 0, low: 1): fineTuning = fineTuning & ~0x7F | value
    case .registered(high: 0, low: 2): break  // coarse tuning has no low part
    default: return isNone
    }
    return true
  }

  /// Changes the parameter by one cent of the range, one step of fine or a semitone of coarse
  /// tuning.
  private mutating func step(by count: Int) -> Bool {
    switch parameter {
    case .registered(high: 0, low: 0):
      let cents = min(max(100 * rangeSemitones + rangeCents + count, 0), 12_799)
      (rangeSemitones, rangeCents) = (cents / 100, cents % 100)
    case .registered(high: 0, low: 1): fineTuning = min(max(fineTuning + count, 0), 16_383)
    case .registered(high: 0, low: 2): coarseTuning = min(max(coarseTuning + count, 0), 127)
    default: return isNone
    }
    return true
  }

  private var isNone: Bool { parameter == .registered(high: 127, low: 127) }
}
