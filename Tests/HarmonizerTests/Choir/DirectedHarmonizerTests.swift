import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

/// Voices with musical parts: their logged targets against a lead of known pitch.
@Suite struct DirectedHarmonizerTests {
  static let engine = Engine.delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (20, 10) })

  static func settings(
    _ voices: [Harmonizer.Voice], _ change: (inout Harmonizer.Settings) -> Void = { _ in }
  ) -> Harmonizer.Settings {
    var settings = Harmonizer.Settings(voices: voices, engine: engine)
    change(&settings)
    return settings
  }

  /// Eight harmonics on a pitch, in note numbers, that is a function of the time in seconds.
  static func voice(seconds: Double, _ pitch: (Double) -> Double) -> [Float] {
    Signal.harmonics(Array(repeating: 0.1, count: 8), seconds: seconds) { hz(pitch($0)) }.samples
  }

  static func hz(_ pitch: Double) -> Double { 440 * exp2((pitch - 69) / 12) }

  /// The truth log of a run in blocks of 128; `act` is called before each block.
  static func log(
    _ settings: Harmonizer.Settings, _ input: [Float],
    _ act: (inout Harmonizer, Int) throws -> Void = { _, _ in }
  ) throws -> TruthLog {
    var harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
    var log = TruthLog(of: harmonizer, sampleRateHz: 48_000)
    for start in stride(from: 0, to: input.count, by: 128) {
      try act(&harmonizer, start)
      log.record(harmonizer, startSample: start)
      _ = harmonizer.render(Array(input[start..<min(start + 128, input.count)]))
    }
    return log
  }

  /// The stems of a run in one block, one array per voice.
  static func stems(_ settings: Harmonizer.Settings, _ input: [Float]) throws -> [[Float]] {
    var harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
    return harmonizer.renderStems(input).stems
  }

  /// Engines reach two octaves. A note 30 semitones above the lead is sung 18 above, which the log says.
  @Test(arguments: [(75.0, 63.0), (15, 27), (84, 60)])
  func aNoteOutOfReachIsSungAnOctaveNearer(note: Double, sung: Double) throws {
    let settings = Self.settings([Harmonizer.Voice(.explicit)])
    let log = try Self.log(settings, Self.voice(seconds: 0.5) { _ in 45 }) { harmonizer, _ in
      harmonizer.setNote(note, ofVoice: 0)
    }
    let entry = try #require(log.blocks.last).voices[0]
    #expect(abs(1200 * log2(entry.targetHz! / Self.hz(sung))) < 1e-6)
    #expect(abs(entry.intervalSemitones - (sung - 45)) < 0.05)
  }

  /// A vibrato of ±50 cents about a note two octaves away is no reason to leap. Where it leads a note out of reach
  /// and back, the voice leaps once and stays.
  @Test(arguments: [(60.0, 84.0), (59.8, 72)])
  func aVibratoAtTheLimitLeapsOnce(middle: Double, sungAtLast: Double) throws {
    let settings = Self.settings([Harmonizer.Voice(.explicit)])
    let lead = Self.voice(seconds: 1.5) { middle + 0.5 * sin(2 * .pi * 5 * $0) }
    let log = try Self.log(settings, lead) { harmonizer, _ in harmonizer.setNote(84, ofVoice: 0) }
    let sung = log.blocks.dropFirst(100).compactMap(\.voices[0].targetHz).map {
      ($0 / 10).rounded()
    }
    #expect(zip(sung, sung.dropFirst()).count { $0 != $1 } <= 1)
    #expect(sung.last == (Self.hz(sungAtLast) / 10).rounded())
  }

  @Test func aVoiceTwoOctavesAboveStaysThere() throws {
    let settings = Self.settings([Harmonizer.Voice(intervalSemitones: 24)]) {
      $0.music.tuning.temperament = .barbershop
    }
    let lead = Self.voice(seconds: 1) { 57 + 0.5 * sin(2 * .pi * 5 * $0) }
    let log = try Self.log(settings, lead)
    #expect(
      log.blocks.dropFirst(100).allSatisfy { abs($0.voices[0].intervalSemitones - 24) < 0.01 })
  }

  /// Shift and lead add up to the note, with a vibrato of ±50 cents. The engine is later than the
  /// tracker's look-ahead, so the shift fits the instant that is read. It is updated once a
  /// millisecond, in which the vibrato moves by 1.6 cents at most; the tracker errs on such a
  /// vibrato by less than 2 cents.
  @Test(arguments: [(Harmonizer.Voice(.explicit), 64.0), (.init(.pedal(key: 57)), 57)])
  func aNoteCancelsTheLeadsVibrato(voice: Harmonizer.Voice, note: Double) throws {
    func pitch(_ time: Double) -> Double { 60 + 0.5 * sin(2 * .pi * 5 * time) }
    let settings = Self.settings([voice])
    let log = try Self.log(settings, Self.voice(seconds: 1.5, pitch)) { harmonizer, _ in
      harmonizer.setNote(64, ofVoice: 0)
    }
    var errors: [Double] = []
    for block in log.blocks where block.startSample > 24_000 {
      let entry = block.voices[0]
      #expect(entry.leadIsVoiced == true)
      #expect(abs(1200 * log2(entry.targetHz! / Self.hz(note))) < 1e-6)
      // The decision is of the last tick, at most a millisecond ago: keep blocks just after a tick.
      guard block.startSample % 48 < 24 else { continue }
      let sung = pitch((Double(block.startSample) - entry.delaySamples) / 48_000)
      errors.append(100 * (entry.intervalSemitones + sung - note))
    }
    let sorted = errors.map(abs).sorted()
    #expect(sorted[errors.count / 2] < 4)
    // Near the ends of sweeps the sound is younger than 10 ms, down to 5, and the pitch is old by
    // up to 13.5 ms, in which the vibrato moves by 13 cents more. The rest are splices between a
    // tick and the log's instant, where another tap is logged: 13 a second of 0.5 ms.
    #expect(sorted[errors.count * 98 / 100] < 18)
  }

  /// The lead slides from C to D; a third above goes from 4 to 3 semitones along the glide and
  /// never outside, independent of the lead's movement.
  @Test func aGlideFollowsTheIntervalNotTheLead() throws {
    var voice = Harmonizer.Voice(.degree(3))
    voice.expression.glide.glideMs = 100
    let input = Self.voice(seconds: 1.2) { 60 + 2 * min(1, max(0, ($0 - 0.5) / 0.2)) }
    let log = try Self.log(Self.settings([voice]), input)
    let intervals = log.blocks.filter { $0.startSample > 12_000 }
      .map { $0.voices[0].intervalSemitones }
    #expect(intervals.allSatisfy { $0 > 3 - 1e-9 && $0 < 4 + 1e-9 })
    #expect(abs(intervals.first! - 4) < 1e-9 && abs(intervals.last! - 3) < 1e-9)
    let gliding = intervals.count { $0 > 3.01 && $0 < 3.99 }
    // 100 ms are 37.5 blocks.
    #expect(abs(gliding - 37) <= 2)
  }

  /// A glide with half of the lead's vibrato, or another share, is often half-way between keys. The
  /// target stays within the vibrato's share, whatever key it rounds to.
  @Test(arguments: [55.0, 58, 59, 62], [0.25, 0.5, 0.75])
  func aGlideStaysWithTheShareOfTheVibrato(lead: Double, share: Double) throws {
    var voice = Harmonizer.Voice(.interval(semitones: 4))
    voice.part.leadShare = share
    voice.expression.glide.glideMs = 100
    let input = Self.voice(seconds: 0.8) { lead + 0.3 * sin(2 * .pi * 5.5 * $0) }
    let targets = try Self.log(Self.settings([voice]), input).blocks
      .filter { $0.startSample > 9_600 }.compactMap { $0.voices[0].targetHz }
    let farthest = targets.map { abs(12 * log2($0 / Self.hz(lead + 4))) }.max()
    #expect(try #require(farthest) < 0.3 * share + 0.05)
  }

  /// A held voice is as loud as its key's press, also where it follows the lead's tuning; keys pressed
  /// before don't touch other voices.
  @Test func aVelocityBelongsToItsKey() throws {
    var held = Harmonizer.Voice(.held)
    held.part.leadShare = 1
    let settings = Self.settings([held, .init(.pedal(key: 67))]) { $0.velocityShare = 1 }
    let input = Self.voice(seconds: 0.8) { _ in 72 }
    let log = try Self.log(settings, input) { harmonizer, start in
      if start == 128 {
        harmonizer.perform(.press(key: 67, velocity: 20))
        harmonizer.perform(.release(key: 67))
      }
      if start == 150 * 128 { harmonizer.perform(.press(key: 64, velocity: 20)) }
    }
    let voices = try #require(log.blocks.last).voices
    #expect(abs(voices[0].gain - 20.0 / 127) < 1e-3 && voices[1].gain == 1)
  }

  /// Tone, noise, tone: the effect of each policy on the noise once it is heard and detected.
  @Test func consonantsFollowTheirPolicy() throws {
    let tone = Self.voice(seconds: 0.5) { _ in 57 }
    let noise = Signal.noise(count: 12_000, width: 0.2, seed: 3).samples
    let input = tone + noise + tone
    var voices = [Harmonizer.Voice](repeating: .init(.degree(3)), count: 4)
    for (voice, policy) in [ConsonantPolicy.kept, .gated, .passedOnce, .passedOnce].enumerated() {
      voices[voice].consonants = policy
    }
    let stems = try Self.stems(Self.settings(voices), input)
    // From 60 ms into the noise to its end: by then it has left the engine (15 ms), is detected
    // (12.5 ms), faded (7 ms) and fills the tracker's window (24 ms).
    let hush = 24_000 + 2_880..<36_000
    func loudest(_ voice: Int, _ range: Range<Int>) -> Float { stems[voice][range].map(abs).max()! }
    #expect(loudest(0, hush) > 0.05)
    #expect(loudest(1, hush) == 0)
    // Late by (20 + 10) / 2 ms and otherwise unchanged.
    #expect(Array(stems[2][hush]) == Array(input[hush.lowerBound - 720..<hush.upperBound - 720]))
    #expect(loudest(3, hush) == 0)
    for voice in 0..<4 {
      #expect(loudest(voice, 12_000..<23_000) > 0.2)
      #expect(loudest(voice, 43_000..<59_000) > 0.2)
    }
  }

  /// Voices with fixed intervals give the same bits beside voices with musical parts.
  @Test func fixedIntervalsAreIndependentOfDirectedVoices() throws {
    let input = noise(count: 6_000)
    let both = try Self.stems(
      Self.settings([.init(intervalSemitones: -5), .init(.pedal(key: 60))]), input)
    var alone = try DelayLineShifterTests.make(-5)
    #expect(both[0] == alone.render(input))
    let plain = try Harmonizer(Self.settings([.init(intervalSemitones: -5)]), sampleRateHz: 48_000)
    #expect(plain.controlLatencySamples == 0)
  }

  /// Three keys within 30 ms go to three voices and stay there. Velocity scales the gain by the
  /// share set; the pedal holds, and after its release all voices are silent.
  @Test func keysAreHeldAndReleased() throws {
    let voices = [Harmonizer.Voice](repeating: .init(.held), count: 3)
    let settings = Self.settings(voices) { $0.velocityShare = 0.5 }
    let log = try Self.log(settings, Self.voice(seconds: 1) { _ in 57 }) { harmonizer, start in
      switch start / 128 {
      case 40: harmonizer.press(67)
      case 44: harmonizer.press(60)
      case 50: harmonizer.press(64, velocity: 1)
      case 100: harmonizer.setPedal(isDown: true)
      case 110: for key in [60, 64, 67] { harmonizer.release(key) }
      case 200: harmonizer.setPedal(isDown: false)
      default: break
      }
    }
    let held = log.blocks[150].voices
    for (entry, key) in zip(held, [67.0, 60, 64]) {
      #expect(abs(1200 * log2(entry.targetHz! / Self.hz(key))) < 1e-6)
    }
    // 1 - 0.5 (1 - 1/127)
    #expect(abs(held[2].gain - 0.503937) < 1e-5 && held[0].gain == 1)
    #expect(log.blocks[30].voices.allSatisfy { $0.gain == 0 && $0.targetHz == nil })
    // 5 ms and a tick of 1 ms are 2.3 blocks.
    #expect(log.blocks[203].voices.allSatisfy { $0.gain == 0 })
  }

  /// Chord voices follow the chord that is set, degrees the key.
  @Test func chordsAndKeysChangeWhileItRuns() throws {
    let low = VoiceLeading.Register(48, 64)
    let voices: [Harmonizer.Voice] = [.init(.chord(low)), .init(.degree(3))]
    let (c, minor) = (ChordTones(try Chord(named: "Cm")), try Key(named: "C minor"))
    let log = try Self.log(
      Self.settings(voices), Self.voice(seconds: 1) { _ in 60 }
    ) { harmonizer, start in
      if start == 128 * 200 {
        harmonizer.setChord(c)
        harmonizer.setKey(minor.tones, tonic: minor.tonic.semitones)
      }
    }
    let (before, after) = (log.blocks[190].voices, log.blocks[210].voices)
    #expect(before[0].gain == 0 && after[0].gain == 1)
    let sung = 69 + 12 * log2(after[0].targetHz! / 440)
    #expect([0, 3, 7].contains(Int(sung.rounded()) % 12) && abs(sung - sung.rounded()) < 1e-6)
    // E, then Eb.
    #expect(abs(before[1].intervalSemitones - 4) < 1e-9)
    #expect(abs(after[1].intervalSemitones - 3) < 1e-9)
  }

  /// An attack takes its 100 ms and a release its 50 ms, within a block and a tick.
  @Test func anEnvelopeShapesTheNote() throws {
    var voice = Harmonizer.Voice(.held)
    voice.envelope = Envelope.Settings()
    voice.envelope?.attackMs = 100
    voice.envelope?.releaseMs = 50
    let log = try Self.log(
      Self.settings([voice]), [Float](repeating: 0, count: 48_000)
    ) { harmonizer, start in
      if start == 128 * 10 { harmonizer.press(60) }
      if start == 128 * 100 { harmonizer.release(60) }
    }
    let gains = log.blocks.map { $0.voices[0].gain }
    #expect(gains[10] == 0 && gains[46] < 1 && gains[49] == 1)  // 37.5 blocks
    #expect(gains[100] == 1 && gains[118] > 0 && gains[120] == 0)  // 18.75 blocks
  }

  @Test func delayedVoicesAreLateByTheirDelay() throws {
    var late = Harmonizer.Voice(intervalSemitones: 4)
    late.delayMs = 20
    let input = noise(count: 5_000)
    let stems = try Self.stems(Self.settings([.init(intervalSemitones: 4), late]), input)
    #expect(stems[1].prefix(960).allSatisfy { $0 == 0 })
    #expect(stems[1].dropFirst(960) == stems[0].dropLast(960))
  }
}
