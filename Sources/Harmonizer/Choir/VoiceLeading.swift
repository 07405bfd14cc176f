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
/// - Cost: voices × keys of the chord in a register × 2^tones of the chord. Four voices on a chord of
///   four tones take some 3 µs; sixteen on one of six tones, over 36 semitones, 0.09 ms, and over the
///   widest registers 0.2 ms.
public struct VoiceLeading: ~Copyable, Sendable {
  /// The keys that one voice may sing.
  public struct Register: Codable, Equatable, Sendable, BitwiseCopyable {
    public var lowest: Int
    public var highest: Int

    public init(_ lowest: Int, _ highest: Int) { (self.lowest, self.highest) = (lowest, highest) }
  }

  /// Bass, tenor, alto and soprano as choirs sing.
  public static let choir = [
    Register(40, 60), Register(48, 67), Register(55, 74), Register(60, 81),
  ]

  /// Checks registers: 1 to 16, of an octave at least, so that each holds any tone; from one to the
  /// next neither bound falls.
  public static func validate(_ registers: [Register]) throws(SettingsError) {
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
  }

  public let voiceCount: Int
  private let spacing: Int
  private let bassSpacing: Int
  private let keepsBass: Bool
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
  /// Places in `keys` of candidates of the next voice within the limit, the cheapest first.
  private var window: RealtimeArray<Int>
  /// Cost of the voice in hand on each of `keys`.
  private var ownCosts: RealtimeArray<Int>

  /// More tones than any formula has; others are left out.
  private static var toneLimit: Int { @_noLocks get { 6 } }
  private static var keyLimit: Int { @_noLocks get { 68 } }  // of 128 keys, 6 of each 12, and some

  /// - Parameters:
  ///   - registers: from the lowest voice up.
  ///   - settings: valid ones, of which the limits between voices count.
  public init(
    _ registers: [Register], _ settings: Conductor.Settings = .init()
  ) throws(SettingsError) {
    try Self.validate(registers)
    (spacing, bassSpacing) = (settings.spacingSemitones, settings.bassSpacingSemitones)
    keepsBass = settings.keepsBass
    voiceCount = registers.count
    lowest = RealtimeArray<Int>(registers.map(\.lowest))
    highest = RealtimeArray<Int>(registers.map(\.highest))
    notes = RealtimeArray<Int>(repeating: 0, count: voiceCount)
    costs = RealtimeArray<Int>(repeating: 0, count: voiceCount * Self.keyLimit << Self.toneLimit)
    keys = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
    tones = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
    window = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
    ownCosts = RealtimeArray<Int>(repeating: 0, count: Self.keyLimit)
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
    follow()
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
    if voice == 0, keepsBass, ToneSet.pitchClass(key) != chord.bass {
      return Self.impossible
    }
    let from = isFirst ? (low + high) / 2 : notes[voice]
    return abs(key - from)
  }

  /// Widest distance of a voice from the next without extra cost.
  @_noLocks private func limit(above voice: Int) -> Int {
    voice == 0 ? bassSpacing : spacing
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

  /// Rows of keys, so that neighbours in a search are neighbours in memory.
  @inline(__always) @_noLocks private func index(_ voice: Int, _ place: Int, _ sung: Int) -> Int {
    (voice << Self.toneLimit + sung) * Self.keyLimit + place
  }

  /// Places in `keys` of a voice's register.
  @_noLocks private func places(of voice: Int) -> Range<Int> {
    var (first, end) = (0, keyCount)
    while first < end, keys[first] < lowest[voice] { first += 1 }
    while first < end, keys[end - 1] > highest[voice] { end -= 1 }
    return first..<end
  }

  /// Fills in the costs of one voice from those of the next.
  @_noLocks private mutating func work(_ voice: Int, _ chord: ChordTones, _ toneCount: Int) {
    let all = 1 << toneCount - 1
    let own = places(of: voice)
    for place in own { ownCosts[place] = cost(of: voice, on: keys[place], chord) }
    for sung in 1...all {
      if voice == voiceCount - 1 {
        let rest = cost(ofLeavingOut: all & ~sung, chord)
        for place in own {
          costs[index(voice, place, sung)] = min(Self.impossible, ownCosts[place] + rest)
        }
      } else {
        findCheapest(above: voice, sung, own, places(of: voice + 1))
      }
    }
  }

  /// Writes the costs of a voice on every key whose tone is among those sung.
  ///
  /// From the highest key down, the next voice's keys fall into three groups: the same key; those
  /// within the limit, whose least cost a window keeps; and those beyond it, whose extra cost rises
  /// by the same for each semitone, so that the cheapest of them stays the cheapest.
  @_noLocks private mutating func findCheapest(
    above voice: Int, _ sung: Int, _ own: Range<Int>, _ others: Range<Int>
  ) {
    let limit = limit(above: voice)
    var (first, end) = (0, 0)  // of the window, in which costs rise
    var beyond = Self.impossible
    var place = others.upperBound - 1
    while place >= own.lowerBound {
      let key = keys[unchecked: place]
      while first < end, keys[unchecked: window[unchecked: first]] - key > limit {
        let far = window[unchecked: first]
        beyond = min(beyond, rest(voice, far, sung) + keys[unchecked: far] * Self.excessUnit)
        first += 1
      }
      let isShared = place >= others.lowerBound
      let unison = isShared ? rest(voice, place, sung) : Self.impossible
      if place < own.upperBound, sung & tones[unchecked: place] != 0 {
        var best = min(Self.impossible, unison + Self.unisonUnit)
        if first < end { best = min(best, rest(voice, window[unchecked: first], sung)) }
        best = min(best, beyond - (key + limit) * Self.excessUnit)
        costs[unchecked: index(voice, place, sung)] = min(
          Self.impossible, ownCosts[unchecked: place] + best)
      }
      if isShared {
        while end > first, rest(voice, window[unchecked: end - 1], sung) >= unison { end -= 1 }
        window[unchecked: end] = place
        end += 1
      }
      place -= 1
    }
  }

  /// Returns the cost of the next voice, and those above it, on a key.
  @inline(__always) @_noLocks private func rest(_ voice: Int, _ place: Int, _ sung: Int) -> Int {
    costs[unchecked: index(voice + 1, place, sung | tones[unchecked: place])]
  }

  /// Reads the best way off the costs, from the lowest voice up; of equals, the lowest key.
  @_noLocks private mutating func follow() {
    var sung = 0
    var from = -1
    for voice in 0..<voiceCount {
      var best = (cost: Int.max, place: 0)
      for place in places(of: voice) where place >= from {
        var cost = costs[index(voice, place, sung | tones[place])]
        if voice > 0 {
          let gap = keys[place] - keys[from]
          cost += max(0, gap - limit(above: voice - 1)) * Self.excessUnit
          cost += gap == 0 ? Self.unisonUnit : 0
        }
        if cost < best.cost { best = (cost, place) }
      }
      from = best.place
      sung |= tones[from]
      notes[voice] = keys[from]
    }
  }
}
