/// What pitch wheel and controllers have made of one MIDI channel so far: how far its notes are bent,
/// and whether its sustain pedal is down.
///
/// The wheel reaches 2 semitones to either side until registered parameter 0 says otherwise. Parameters
/// 1 and 2, fine and coarse tuning, move the notes as well. A controller 121 puts wheel, pedal and the
/// choice of a parameter back, and leaves the parameters themselves.
///
/// - Source: MIDI Manufacturers Association, "MIDI 1.0 Detailed Specification" 4.2; data increment and
///   decrement: RP-018; reset of all controllers: RP-015.
struct MIDIChannel: Equatable, Sendable {
  /// Of the wheel, -8192 to 8191.
  private var wheel = 0
  private var rangeSemitones = 2
  private var rangeCents = 0
  /// 14 bits; the middle is no detuning, and the ends are a semitone away.
  private var fineTuning = 8192
  /// The middle, 64, is no transposition.
  private var coarseTuning = 64
  private(set) var pedalIsDown = false

  /// The parameter that data entry sets.
  private enum Parameter: Equatable {
    /// Two halves of 7 bits.
    case registered(high: Int, low: Int)
    /// One of a maker's own.
    case other
  }
  private var parameter = Parameter.registered(high: 127, low: 127)  // none

  /// How far the notes of the channel are from their keys.
  var bendSemitones: Double {
    let range = Double(rangeSemitones) + Double(rangeCents) / 100
    return Double(wheel) / 8192 * range + Double(fineTuning - 8192) / 8192
      + Double(coarseTuning - 64)
  }

  /// Whether an event of this channel is honoured here.
  mutating func take(_ event: MIDIFile.Event) -> Bool {
    switch event {
    case .pitchBend(_, let value): wheel = value - 8192
    case .controller(_, let number, let value): return take(controller: number, value)
    default: return false
    }
    return true
  }

  private mutating func take(controller number: Int, _ value: Int) -> Bool {
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

  /// - Returns: whether the parameter is known here, or none.
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
    case .registered(high: 0, low: 2): break  // it has none
    default: return isNone
    }
    return true
  }

  /// One cent of the range, one step of the fine tuning, one semitone of the coarse.
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
