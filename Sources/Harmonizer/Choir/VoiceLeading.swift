import DSP
import Music

/// Decides which tone of the next chord each voice sings, so that the voices move least.
///
/// Voices are numbered from the lowest up and never cross; they may meet. Of all ways to give each
/// voice a tone of the chord within its register, the one is taken that, in this order,
///
/// 1. keeps neighbours within the spacing limits, or goes least beyond them;
/// 2. leaves out the fewest tones; a fifth is missed less than a root, a root less than others;
/// 3. has the fewest voices in unison;
/// 4. moves the voices by the fewest semitones in all; the first chord counts from the middle of
///    their registers;
/// 5. has the lowest voice lowest, then the next, and so on.
///
/// That is an optimum over every placement, found by dynamic programming from the top voice down,
/// and there is always exactly one.
///
/// - Allocates: in `init` only.
/// - Cost: voices × tones in a register² × 2^tones of the chord. Four voices on a chord of four
///   tones take some 20 µs; sixteen on one of six, over 36 semitones, 1.3 ms, which belong beside
///   the audio thread.
public struct VoiceLeading: ~Copyable, Sendable {
  /// The keys that one voice may sing.
  public struct Register: Codable, Equatable, Sendable, BitwiseCopyable {
    public var lowest: Int
    public var highest: Int

    public init(_ lowest: Int, _ highest: Int) { (self.lowest, self.highest) = (lowest, highest) }
  }

  /// Settings.
  public struct Settings: Codable, Equatable, Sendable {
    /// Registers from the lowest voice up; neither bound ever falls.
    public var registers: [Register]
    /// Widest distance between neighbours.
    public var spacingSemitones = 12
    /// Widest distance of the lowest voice from the next, which may stand apart.
    public var bassSpacingSemitones = 19
    /// Gives the lowest voice the chord's bass, as in `C/E`.
    public var keepsBass = false

    /// - Parameter registers: 1 to 16, each of an octave at least, so that it holds any tone.
    public init(registers: [Register]) { self.registers = registers }

    /// Bass, tenor, alto and soprano as choirs sing.
    public static let choir = Settings(
      registers: [Register(40, 60), Register(48, 67), Register(55, 74), Register(60, 81)])

    public func validate() throws(SettingsError) {
      try require("the number of registers", Double(registers.count), in: 1...16)
      var (low, high) = (0, 11)
      for register in registers {
        try require("lowest", Double(register.lowest), in: Double(low)...116)
        let atLeast = max(high, register.lowest + 11)
        try require(
          "highest", Double(register.highest),
          in: Double(atLeast)...Double(max(atLeast, min(127, register.lowest + 47))))
        (low, high) = (register.lowest, register.highest)
      }
      try require("spacingSemitones", Double(spacingSemitones), in: 1...127)
      try require("bassSpacingSemitones", Double(bassSpacingSemitones), in: 1...127)
    }
  }

  public let voiceCount: Int
  private let settings: Settings
  private let lowest: RealtimeArray<Int>  // of each voice's register
  private let highest: RealtimeArray<Int>
  private var notes: RealtimeArray<Int>
  private var isFirst = true
  /// The least cost of the voices from one up, by that voice's note and the tones that the voices
  /// up to it sing.
  private var costs: RealtimeArray<Int>
  /// Keys of the chord from the lowest register's bottom to the highest one's top, rising.
  private var keys: RealtimeArray<Int>
  /// Tone of the chord that each of `keys` is, as a bit.
  private var tones: RealtimeArray<Int>
  private var keyCount = 0

  /// More tones than any formula has; others are left out.
  private static var toneLimit: Int { @_noLocks get { 6 } }
  private static var keyLimit: Int { @_noLocks get { 68 } }  // of 128 keys, 6 of each 12, and some

  public init(_ settings: Settings) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
    voiceCount = settings.registers.count
    lowest = RealtimeArray<Int>(settings.registers.map(\.lowest))
    highest = RealtimeArray<Int>(settings.registers.map(\.highest))
    notes = RealtimeArray<Int>(repeating: 0, count: voiceCount)
    costs = RealtimeArray<Int>(repeating: 0, count: voiceCount * Self.keyLimit << Self.toneLimit)
    keys = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
    tones = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
  }

  /// Forgets the last chord.
  @_noLocks public mutating func reset() { isFirst = true }

  /// The key that a voice sings; `nil` before the first chord.
  @_noLocks public func note(ofVoice voice: Int) -> Int? {
    isFirst ? nil : notes[voice]
  }

  /// Goes on to a chord. An empty one changes nothing.
  @_noLocks public mutating func lead(to chord: ChordTones) {
    guard !chord.tones.isEmpty else { return }
    let toneCount = collectKeys(of: chord)
    for voice in stride(from: voiceCount - 1, through: 0, by: -1) {
      work(voice, chord, toneCount)
    }
    follow(chord, toneCount)
    isFirst = false
  }

  // MARK: The parts of a cost, each worth more than all that follow

  private static var excessUnit: Int { @_noLocks get { 1 << 23 } }
  private static var missingUnit: Int { @_noLocks get { 1 << 17 } }  // at most 18 of them
  private static var unisonUnit: Int { @_noLocks get { 1 << 12 } }  // at most 15; motion below 2048
  private static var impossible: Int { @_noLocks get { 1 << 60 } }

  /// Returns the cost of one voice on a key: its motion, or `impossible`.
  @_noLocks private func cost(of voice: Int, on key: Int, _ chord: ChordTones) -> Int {
    let (low, high) = (lowest[voice], highest[voice])
    guard key >= low, key <= high else { return Self.impossible }
    if voice == 0, settings.keepsBass, ToneSet.pitchClass(key) != chord.bass {
      return Self.impossible
    }
    let from = isFirst ? (low + high) / 2 : notes[voice]
    return abs(key - from)
  }

  /// Returns the cost of the step from a voice up to the next.
  @_noLocks private func cost(ofGap gap: Int, above voice: Int) -> Int {
    let limit = voice == 0 ? settings.bassSpacingSemitones : settings.spacingSemitones
    return max(0, gap - limit) * Self.excessUnit + (gap == 0 ? Self.unisonUnit : 0)
  }

  /// Returns the cost of the tones that no voice sings.
  @_noLocks private func cost(ofLeavingOut missing: Int, _ chord: ChordTones) -> Int {
    var sum = 0
    for place in 0..<keyCount where missing & tones[place] != 0 {
      // Each tone once, at its first key.
      var isNew = true
      for earlier in 0..<place where tones[earlier] == tones[place] { isNew = false }
      if isNew { sum += chord.weight(of: keys[place]) }
    }
    return sum * Self.missingUnit
  }

  // MARK: The search

  /// Lists the keys; returns how many different tones they have.
  @_noLocks private mutating func collectKeys(of chord: ChordTones) -> Int {
    keyCount = 0
    var (known, bits) = (ToneSet(bits: 0), 0)
    for key in lowest[0]...highest[voiceCount - 1]
    where chord.tones.contains(key) && keyCount < keys.count {
      let tone = ToneSet.pitchClass(key)
      if known.contains(tone) {
        tones[keyCount] = tones[keyCount - known.count]
      } else if bits < Self.toneLimit {
        known = ToneSet(bits: known.bits | 1 << UInt16(tone))
        tones[keyCount] = 1 << bits
        bits += 1
      } else {
        continue
      }
      keys[keyCount] = key
      keyCount += 1
    }
    return bits
  }

  @_noLocks private func index(_ voice: Int, _ place: Int, _ sung: Int) -> Int {
    (voice * Self.keyLimit + place) << Self.toneLimit + sung
  }

  /// Fills in the costs of one voice from those of the next.
  @_noLocks private mutating func work(_ voice: Int, _ chord: ChordTones, _ toneCount: Int) {
    let all = 1 << toneCount - 1
    for place in 0..<keyCount {
      let own = cost(of: voice, on: keys[place], chord)
      for sung in 0...all where sung & tones[place] != 0 {
        var best = Self.impossible
        if own < Self.impossible {
          best =
            voice == voiceCount - 1
            ? cost(ofLeavingOut: all & ~sung, chord) : cheapest(above: voice, place, sung).cost
        }
        costs[index(voice, place, sung)] = min(Self.impossible, own + best)
      }
    }
  }

  /// The best place for the voice above `voice`; of several, the lowest.
  @_noLocks private func cheapest(
    above voice: Int, _ place: Int, _ sung: Int
  ) -> (cost: Int, place: Int) {
    var best = (cost: Self.impossible, place: place)
    for next in place..<keyCount {
      let rest = costs[index(voice + 1, next, sung | tones[next])]
      let cost = rest + cost(ofGap: keys[next] - keys[place], above: voice)
      if cost < best.cost { best = (cost, next) }
    }
    return best
  }

  /// Reads the best way off the costs, from the lowest voice up.
  @_noLocks private mutating func follow(_ chord: ChordTones, _ toneCount: Int) {
    var best = (cost: Self.impossible, place: 0)
    for place in 0..<keyCount {
      let cost = costs[index(0, place, tones[place])]
      if cost < best.cost { best = (cost, place) }
    }
    var sung = 0
    for voice in 0..<voiceCount {
      if voice > 0 { best = cheapest(above: voice - 1, best.place, sung) }
      notes[voice] = keys[best.place]
      sung |= tones[best.place]
    }
  }
}
