import DSP
import Foundation
import Testing

@testable import Harmonizer
@testable import Music

/// The correction rule in isolation: pitches in, shifts out, at hops of 2.5 ms.
@Suite struct PitchCorrectorTests {
  static let hopMs = 2.5

  /// The shifts in cents for pitches given as note numbers; `nil` is an unvoiced hop.
  static func shifts(
    _ pitches: [Double?], _ correction: PitchCorrection = PitchCorrection(),
    _ target: TuningTarget = .tones((0..<12).map { PitchClass($0) }), tuning: Tuning = Tuning(),
    vibrato: Vibrato.Settings = Vibrato.Settings(), pressing keys: [Int] = [], voicing: Double = 1
  ) throws -> (cents: [Double], keys: [Int?]) {
    var corrector = PitchCorrector(
      correction, vibrato: vibrato, hopSamples: 120, sampleRateHz: 48_000)
    var notes = try TargetNotes(target, tuning)
    for key in keys { notes.perform(.press(key: key, velocity: 127)) }
    var (cents, sung): ([Double], [Int?]) = ([], [])
    for pitch in pitches {
      let f0Hz = pitch.map { NoteNumber($0).hz } ?? 0
      let decision = corrector.next(f0Hz: f0Hz, voicing: voicing, notes)
      cents.append(100 * decision.shiftSemitones)
      sung.append(decision.key)
    }
    return (cents, sung)
  }

  static func correction(_ change: (inout PitchCorrection) -> Void) -> PitchCorrection {
    var correction = PitchCorrection()
    change(&correction)
    return correction
  }

  /// A vibrato of 5.5 Hz and 50 cents around a pitch.
  static func sung(_ pitch: Double, seconds: Double, extentCents: Double = 50) -> [Double] {
    (0..<Int(seconds * 1000 / hopMs)).map { hop in
      pitch + extentCents / 100 * sin(2 * .pi * 5.5 * Double(hop) * hopMs / 1000)
    }
  }

  /// Extent and mean of a sine of known rate, fitted by least squares over the last four whole
  /// periods.
  static func fit(_ cents: [Double], rateHz: Double = 5.5) -> (extent: Double, middle: Double) {
    let count = Int((4 / rateHz * 1000 / hopMs).rounded())
    let last = cents.suffix(count)
    var (cosine, sine, sum) = (0.0, 0.0, 0.0)
    for (hop, value) in last.enumerated() {
      let angle = 2 * .pi * rateHz * Double(hop) * hopMs / 1000
      cosine += value * cos(angle)
      sine += value * sin(angle)
      sum += value
    }
    return (hypot(cosine, sine) * 2 / Double(count), sum / Double(count))
  }

  @Test func aLagLeavesOneOverEAfterItsTimeConstant() throws {
    let flat = [Double?](repeating: 68.6, count: 200)
    for retuneMs in [20.0, 100, 250] {
      let cents = try Self.shifts(flat, Self.correction { $0.retuneMs = retuneMs }).cents
      #expect(cents[0] == 0)
      // Exactly e^(-t/τ), since the filter's steps are exponential; the rest is rounding error.
      let left = 40 - cents[Int(retuneMs / Self.hopMs)]
      #expect(abs(left - 40 / M_E) < 1e-6, "\(retuneMs)")
    }
  }

  /// A melody more than two octaves away is sung in the nearest octave that an engine reaches.
  @Test(arguments: [(90, 78), (30, 42)]) func aKeyOutOfReachIsSungAnOctaveNearer(
    key: Int, sung: Int
  ) throws {
    let correction = Self.correction { $0.retuneMs = 0 }
    let found = try Self.shifts(
      Array(repeating: 60 - Double((key - 60).signum()) * 3, count: 40), correction,
      .heldKeys(.asPlayed),
      pressing: [key])
    #expect(found.keys.last == sung)
    #expect(
      abs(found.cents.last! - 100 * (Double(sung) - 60 + Double((key - 60).signum()) * 3)) < 1e-6)
  }

  @Test func aRetuneTimeOfZeroIsImmediate() throws {
    #expect(try Self.shifts([68.6]).cents.allSatisfy { abs($0 - 40) < 1e-9 })
  }

  @Test func heldNotesHaveTheirOwnRetuneTime() throws {
    // In tune for 400 ms, so that the note counts as held, then suddenly 40 cents flat.
    let pitches = [Double?](repeating: 69, count: 160) + [Double?](repeating: 68.6, count: 120)
    let cents = try Self.shifts(
      pitches, Self.correction { ($0.retuneMs, $0.heldRetuneMs) = (10, 100) }
    ).cents
    // The first flat hop already includes one step of the lag.
    #expect(abs(40 - cents[160 + 39] - 40 / M_E) < 1e-6)
  }

  @Test func smallDeviationsAreNotCorrected() throws {
    for deviation in stride(from: -45.0, through: 45, by: 5) {
      let cents = try Self.shifts(
        [69 + deviation / 100], Self.correction { $0.deadBandCents = 20 }
      ).cents[0]
      #expect(abs(deviation + cents - min(max(deviation, -20), 20)) < 1e-6)
    }
  }

  @Test(arguments: [0.0, 25, 50, 100])
  func amountScalesTheCorrection(percent: Double) throws {
    let cents = try Self.shifts([68.6], Self.correction { $0.amountPercent = percent }).cents[0]
    #expect(abs(cents - 0.4 * percent) < 1e-6)
  }

  /// A glide up an octave of C major in 8 s with a modulation of 20 cents: eight notes, so seven
  /// changes. The modulation doesn't cause more changes between two notes, as it is within the
  /// hysteresis.
  @Test func slowGlidesChangeNotesOnce() throws {
    let glide = (0..<3200).map { hop -> Double? in
      let wave = 0.2 * sin(2 * .pi * 6 * Double(hop) * Self.hopMs / 1000)
      return 60 + 12 * Double(hop) / 3199 + wave
    }
    let major = TuningTarget.key(try Key(named: "C major"))
    func changes(_ hysteresisCents: Double) throws -> Int {
      let correction = Self.correction { $0.hysteresisCents = hysteresisCents }
      let keys = try Self.shifts(glide, correction, major).keys
      return zip(keys, keys.dropFirst()).count { $0 != $1 }
    }
    #expect(try changes(25) == 7)
    // Without hysteresis the note flutters; this shows that the test is sensitive.
    #expect(try changes(0) > 14)
  }

  /// A leap with intermediate pitches ends where hysteresis would keep the note passed on the way.
  @Test func passedNotesDontHoldTheVoice() throws {
    let leap =
      [Double?](repeating: 56.7, count: 40) + [57.4, 58.2] + Array(repeating: 58.7, count: 40)
    #expect(try Self.shifts(leap).keys.last == 59)
    // A note that the voice has settled on does hold it.
    let step = [Double?](repeating: 58, count: 40) + Array(repeating: 58.7, count: 40)
    #expect(try Self.shifts(step).keys.last == 58)
  }

  /// A semitone up, sung 45 cents flat, is 5 cents nearer to its own note than to the previous one.
  /// Hysteresis of 30 cents alone would keep the previous note. The new note is chosen once this
  /// has lasted 120 ms, 48 hops, and kept.
  @Test(arguments: [-1.0, 1]) func aNoteSungFlatIsChosenAfterItLasts(direction: Double) throws {
    let second = 60 + direction * 0.55
    let sung = [Double?](repeating: 60, count: 100) + Array(repeating: second, count: 200)
    let keys = try Self.shifts(sung).keys
    let changes = keys.indices.dropFirst().filter { keys[$0] != keys[$0 - 1] }
    #expect(changes.count == 1 && (145...151).contains(changes[0]))
    #expect(keys.last == Int(60 + direction))
  }

  /// A voice held without vibrato that moves by 75 cents goes to another note after 15 ms, six hops,
  /// though it is only 15 cents beyond the middle; hysteresis alone would wait for 120 ms.
  @Test(arguments: [-1.0, 1]) func aSteadyVoiceChangesNotesSoon(direction: Double) throws {
    let (first, second) = (60 - direction * 0.1, 60 + direction * 0.65)
    let sung = [Double?](repeating: first, count: 120) + Array(repeating: second, count: 20)
    let keys = try Self.shifts(sung).keys
    #expect(keys[..<125].allSatisfy { $0 == 60 })
    #expect(keys[127...].allSatisfy { $0 == Int(60 + direction) })
  }

  /// A vibrato that begins late, on a note sung 30 cents sharp, grows to 50 cents in 0.2 s.
  @Test(arguments: [4.5, 5.5, 7]) func aLateVibratoChangesNoNote(hz: Double) throws {
    let sung = (0..<800).map { hop -> Double? in
      let seconds = max(0, Double(hop) * Self.hopMs / 1000 - 0.4)
      return 60.3 + 0.5 * min(seconds / 0.2, 1) * sin(2 * .pi * hz * seconds)
    }
    #expect(try Self.shifts(sung).keys.allSatisfy { $0 == 60 })
  }

  /// A vibrato stays on one side for at most half a period, 111 ms at 4.5 Hz. Around its note or
  /// half way between two it changes nothing, however often it crosses the middle.
  @Test(arguments: [(60.0, 75.0), (60.49, 30)])
  func aVibratoChangesNoNote(middle: Double, extentCents: Double) throws {
    for hz in [4.5, 5.5, 7] {
      let sung = (0..<2000).map { hop -> Double? in
        let turn = 2 * .pi * hz * Double(hop) * Self.hopMs / 1000
        return middle + extentCents / 100 * sin(turn)
      }
      let keys = try Self.shifts([60] + sung).keys
      #expect(keys.allSatisfy { $0 == 60 })
    }
  }

  /// Legato semitones up and down, each up to 45 cents off, with vibrato and a glide of 60 ms. Each
  /// note is right from half of its 0.6 s on, and there are seven changes: the tuner never bounces.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func legatoNotesAreRight(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let wanted = [60, 61, 62, 61, 60, 59, 60, 61]
    var (sung, last): ([Double?], Double) = ([], 60)
    for note in wanted {
      let goal = Double(note) + 0.9 * (random.uniform() - 0.5)
      let (hz, extent) = (5 + 2 * random.uniform(), 0.3 * random.uniform())
      for hop in 0..<240 {
        let seconds = Double(hop) * Self.hopMs / 1000
        let way = 0.5 - 0.5 * cos(.pi * min(seconds / 0.06, 1))
        let vibrato = extent * min(seconds / 0.2, 1) * sin(2 * .pi * hz * seconds)
        sung.append(last + (goal - last) * way + vibrato)
      }
      last = goal
    }
    let keys = try Self.shifts(sung).keys
    for (number, note) in wanted.enumerated() {
      let settled = keys[(240 * number + 120)..<(240 * (number + 1))]
      #expect(settled.count { $0 == note } > 60, "note \(number + 1)")
    }
    #expect(zip(keys, keys.dropFirst()).count { $0 != $1 } == 7)
  }

  /// A first-order lag of τ leaves ωτ / √(1 + ω²τ²) of a vibrato.
  @Test(arguments: [10.0, 30, 100])
  func aLagReducesVibratoAsTheoryPredicts(retuneMs: Double) throws {
    let pitches = Self.sung(69, seconds: 2, extentCents: 30)
    let cents = try Self.shifts(pitches, Self.correction { $0.retuneMs = retuneMs }).cents
    let left = Self.fit(zip(pitches, cents).map { ($0 - 69) * 100 + $1 }).extent
    let turn = 2 * .pi * 5.5 * retuneMs / 1000
    // Steps of 2.5 ms act on average half a step late: about 1 % of the phase at 5.5 Hz each.
    #expect(abs(left / 30 - turn / hypot(1, turn)) < 0.05)
  }

  @Test func vibratoIsKeptRemovedOrRebuilt() throws {
    let pitches = Self.sung(69.2, seconds: 3)
    func heard(_ policy: PitchCorrection.VibratoPolicy, rateHz: Double = 5.5) throws
      -> (extent: Double, middle: Double)
    {
      var vibrato = Vibrato.Settings()
      (vibrato.rateHz, vibrato.extentCents) = (4, 30)
      let correction = Self.correction { ($0.vibrato, $0.hysteresisCents) = (policy, 50) }
      let cents = try Self.shifts(pitches, correction, vibrato: vibrato).cents
      return Self.fit(zip(pitches, cents).map { ($0 - 69) * 100 + $1 }, rateHz: rateHz)
    }
    // The running mean spans 73 hops of the 72.7 of a period: a thousandth of the extent is left.
    // The moving average spans 73 hops, a period 72.7: a thousandth of the extent is left.
    let kept = try heard(.keep)
    #expect(abs(kept.extent - 50) < 0.5 && abs(kept.middle) < 0.5)
    let removed = try heard(.remove)
    #expect(removed.extent < 0.5 && abs(removed.middle) < 0.5)
    let rebuilt = try heard(.rebuild, rateHz: 4)
    #expect(abs(rebuilt.extent - 30) < 0.5 && abs(rebuilt.middle) < 0.5)
  }

  /// A long retune time doesn't delay the removal of vibrato.
  @Test func vibratoIsRemovedFromNotesDrawnSlowly() throws {
    let pitches = Self.sung(69.2, seconds: 3)
    let correction = Self.correction { ($0.vibrato, $0.retuneMs) = (.remove, 400) }
    let cents = try Self.shifts(pitches, correction).cents
    #expect(Self.fit(zip(pitches, cents).map { ($0 - 69) * 100 + $1 }).extent < 2)
  }

  @Test func keysHeldAreTheTargets() throws {
    let pitches: [Double?] = [64.2]
    let asPlayed = TuningTarget.heldKeys(.asPlayed)
    #expect(try Self.shifts(pitches, PitchCorrection(), asPlayed).keys == [nil])
    #expect(try Self.shifts(pitches, PitchCorrection(), asPlayed).cents == [0])
    let (cents, keys) = try Self.shifts(pitches, PitchCorrection(), asPlayed, pressing: [60, 67])
    #expect(keys == [67] && abs(cents[0] - 280) < 1e-6)
    let far = try Self.shifts([76], PitchCorrection(), asPlayed, pressing: [62])
    #expect(far.keys == [62] && abs(far.cents[0] + 1400) < 1e-6)
    let near = try Self.shifts([76], PitchCorrection(), .heldKeys(.any), pressing: [62])
    #expect(near.keys == [74] && abs(near.cents[0] + 200) < 1e-6)
  }

  @Test func targetsFollowTheTuning() throws {
    // Concert pitch of 432 Hz lies 31.7667 cents below: 1200 log2(432 / 440).
    let low = try Self.shifts([69], tuning: Tuning(.equal, a4Hz: 432))
    #expect(low.keys == [69] && abs(low.cents[0] + 31.766654) < 1e-5)
    // A just third above C is 386.3137 cents. With A4 at 440 Hz as the sixth, 884.3587 cents above
    // C, C lies 15.6413 cents above its equal-tempered place.
    let just = try Self.shifts([64], tuning: Tuning(.just(centre: PitchClass(0))))
    #expect(just.keys == [64] && abs(just.cents[0] - (15.641287 - 13.686286)) < 1e-5)
  }

  @Test func theCorrectionIsHeldAfterVoicing() throws {
    let pitches = [Double?](repeating: 68.6, count: 10) + [Double?](repeating: nil, count: 20)
    let (cents, keys) = try Self.shifts(pitches)
    // 30 ms are twelve hops.
    #expect(cents[10..<22].allSatisfy { abs($0 - 40) < 1e-9 })
    #expect(cents[22...].allSatisfy { $0 == 0 } && keys[22...].allSatisfy { $0 == nil })
  }

  @Test func doubtfulSoundIsNotCorrected() throws {
    let strict = Self.correction { $0.strictness = 0.8 }
    #expect(try Self.shifts([68.6], strict, voicing: 0.7).cents == [0])
    #expect(try abs(Self.shifts([68.6], strict, voicing: 0.9).cents[0] - 40) < 1e-9)
  }

  @Test func settingsOutOfRangeAreRefused() throws {
    for change: (inout PitchCorrection) -> Void in [
      { $0.retuneMs = -1 }, { $0.amountPercent = 101 }, { $0.deadBandCents = .nan },
      { $0.hysteresisCents = 51 }, { $0.strictness = 2 },
    ] {
      let bad = Self.correction(change)
      #expect(throws: SettingsError.self) { try bad.validate() }
    }
  }
}
