import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Platform
import Sweep
import TestSupport
import Testing

@testable import Corpus
@testable import Probes
@testable import Subjects

/// A test tape of five tones, and recordings of it by recorders whose faults are known.
@Suite struct TapeReadingTests {
  private static let rateHz = 48_000.0
  private static let tape = Result {
    try tape(named: "tones", secondsOf: [1.1, 1.6, 2.3, 0.8, 1.9])
  }

  private struct Tape {
    let sound: Signal
    let sheet: TapeSheet
    let recordings: [String: Signal]
  }

  /// Makes a tape of tones with a swelling level.
  private static func tape(
    named name: String, secondsOf lengths: [Double], tests: [TapeTest] = []
  ) throws -> Tape {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("Corpus/audio"), withIntermediateDirectories: true)
    var (rows, recordings) = ([TemporaryFolder.manifestHeader], [String: Signal]())
    for (number, seconds) in lengths.enumerated() {
      let id = "tone-\(number)"
      let hz = 180.0 + 40 * Double(number)
      let samples = (0..<Int(seconds * rateHz)).map { n -> Float in
        let time = Double(n) / rateHz
        let swell = (0.6 + 0.4 * sin(9 * time)) * min(1, time / 0.05, (seconds - time) / 0.05)
        return Float(
          0.1 * swell
            * (1...8).reduce(0.0) { $0 + sin(2 * .pi * hz * Double($1) * time) / Double($1) })
      }
      let signal = Signal(samples, sampleRateHz: rateHz)
      let file = folder.file("Corpus/audio/\(id).wav")
      try signal.write(to: file.path)
      recordings[id] = signal
      let sha256 = try Digest.sha256(ofFile: file)
      rows.append("\(id),\(id).wav,test,\(sha256),CC0-1.0,me,alto,sung,a tone\n")
    }
    try folder.write(rows.joined(), to: "Corpus/manifest.csv")
    let corpus = try Corpus(folder: folder.file("Corpus"))
    let plan = folder.file("plan.yaml")
    try folder.write(
      """
      name: \(name)
      subject: psola
      recordings: ["tone-*"]
      scores: [{id: third, intervalsSemitones: [4]}]
      """, to: "plan.yaml")
    let made = try TapeMaker(plan: Plan(reading: plan), in: corpus, tests: tests).tape()
    return Tape(sound: made.sound, sheet: made.sheet, recordings: recordings)
  }

  /// A recorder with a clock, a gain and a start of its own.
  private func recorded(
    _ sound: Signal, startSeconds: Double = 0.7, ppm: Double = 0, gainDb: Double = 0,
    toHz rateHz: Double = rateHz
  ) -> Signal {
    let speed = 1 + ppm * 1e-6
    let long = Signal(
      sound.samples + [Float](repeating: 0, count: Int(2 * sound.sampleRateHz)),
      sampleRateHz: sound.sampleRateHz)
    let gain = Float(pow(10, gainDb / 20))
    let late = long.delayed { $0 - ($0 - startSeconds) / speed }
    return Signal(late.samples.map { gain * $0 }, sampleRateHz: late.sampleRateHz)
      .resampled(to: rateHz)
  }

  private func reading(
    _ channels: Signal..., semitones: Double = 0, dryChannel: Int? = nil, isByCable: Bool = false
  ) throws -> TapeReading {
    try TapeReading(
      AudioFile(channels: channels.map(\.samples), sampleRateHz: channels[0].sampleRateHz),
      of: Self.tape.get().sheet, score: Score(id: "sung", intervalsSemitones: [semitones]),
      dryChannel: dryChannel, isByCable: isByCable)
  }

  /// Returns the error that the reading of a recording ends with.
  private func problem(_ channels: Signal..., dryChannel: Int? = nil) throws -> String {
    do {
      _ = try TapeReading(
        AudioFile(channels: channels.map(\.samples), sampleRateHz: channels[0].sampleRateHz),
        of: Self.tape.get().sheet, score: Score(id: "unison", intervalsSemitones: [0]),
        dryChannel: dryChannel)
      return "read without an error"
    } catch let error as Refusal { return error.description }
  }

  // MARK: What is measured

  @Test(arguments: [
    (0.0, 0.0, 0.0, 48_000.0), (1.234, 100, -20, 48_000), (0.5, -100, 6, 44_100),
    (2, 37, -3, 44_100),
  ])
  func theRecorderIsMeasured(start: Double, ppm: Double, gainDb: Double, rateHz: Double) throws {
    let sound = recorded(
      try Self.tape.get().sound, startSeconds: start, ppm: ppm, gainDb: gainDb, toHz: rateHz)
    let found = try reading(sound)
    // A waveform that correlates tells a delay to a hundredth of a sample.
    #expect(abs(found.startSeconds - start) < 2e-5)
    #expect(abs(found.driftPpm - ppm) < 2)
    #expect(abs(found.gainDb - gainDb) < 0.1)
    #expect(found.isInverted == false)
    #expect(found.lostParts.isEmpty && found.warnings.isEmpty)
  }

  @Test func polarityIsMeasured() throws {
    let tape = try Self.tape.get().sound
    let inverted = Signal(tape.samples.map { -$0 }, sampleRateHz: tape.sampleRateHz)
    #expect(try reading(recorded(inverted)).isInverted == true)
  }

  /// Parts come back as they were: the recorder's start, clock, rate and gain are undone.
  @Test(arguments: [48_000.0, 44_100]) func partsAreCutOut(rateHz: Double) throws {
    let tape = try Self.tape.get()
    let dry = recorded(tape.sound, ppm: 80, gainDb: -12, toHz: rateHz)
    let found = try reading(dry, dry, dryChannel: 2)
    for part in tape.sheet.parts {
      let cut = found.part(part)
      let wanted = try #require(tape.recordings[part.recording])
      #expect(cut.sampleRateHz == wanted.sampleRateHz && cut.frameCount == wanted.count)
      let error = zip(cut.channels[0], wanted.samples).map { $0 - $1 }
      // -40 dB of a tone whose highest harmonic is 2.7 kHz is a displacement of half a microsecond at
      // the mean harmonic; the recorder's clock is known to 2 ppm, 5 µs over a part.
      #expect(Signal(error, sampleRateHz: rateHz).rms < 0.03 * wanted.rms, "\(part.recording)")
    }
  }

  /// Behind the dry channel, a system that is 30 ms late is found to be so, and its parts keep the delay.
  @Test func theDryChannelTellsLatency() throws {
    let tape = try Self.tape.get()
    let dry = recorded(tape.sound, ppm: -60)
    let late = recorded(tape.sound, startSeconds: 0.73, ppm: -60, gainDb: -6)
    let found = try reading(late, dry, dryChannel: 2)
    #expect(abs(try #require(found.latencyMs) - 30) < 0.2)
    #expect(abs(found.gainDb) < 0.1)
    #expect(found.isAbsolute)
    let part = tape.sheet.parts[1]
    let cut = found.part(part).channels[0]
    let wanted = try #require(tape.recordings[part.recording])
    let delay = 1440  // 30 ms at 48 kHz
    let error = (delay..<cut.count).map { 2 * cut[$0] - wanted.samples[$0 - delay] }
    #expect(Signal(error, sampleRateHz: Self.rateHz).rms < 0.03 * wanted.rms)
    #expect(try !reading(late).isAbsolute)
  }

  /// The first mark of the dry channel has its envelope, and another waveform, as behind a network that
  /// looks for its clock.
  @Test func aSpoiltWaveformIsNoMissingMark() throws {
    let tape = try Self.tape.get()
    var random = SeededGenerator(seed: 2)
    var dry = tape.sound
    let first = Int(tape.sheet.marks[0] * Self.rateHz)
    for n in first..<first + Int(TapeMark.seconds * Self.rateHz) where random.uniform() < 0.5 {
      dry.samples[n] *= -1
    }
    let found = try reading(tape.sound, dry, dryChannel: 2)
    #expect(abs(try #require(found.latencyMs)) < 1)
  }

  /// A wire behind which everything is 40 ms late follows steps and vibrato as they are.
  @Test func testSignalsAreMeasured() throws {
    let tape = try Self.tape(named: "bench", secondsOf: [1], tests: TapeTest.allCases)
    let (dry, wet) = (recorded(tape.sound), recorded(tape.sound, startSeconds: 0.74))
    let sound = AudioFile(channels: [wet.samples, dry.samples], sampleRateHz: Self.rateHz)
    let score = Score(id: "unison", intervalsSemitones: [0])
    let findings = try TapeReading(sound, of: tape.sheet, score: score, dryChannel: 2).findings
    func value(_ aspect: ProbeFinding.Aspect, _ name: String) throws -> Double {
      try #require(findings.first { $0.aspect == aspect && $0.name == name }?.value)
    }
    #expect(abs(try value(.latency, "impulses") - 40) < 0.1)
    #expect(abs(try value(.step, "lead.delay") - 40) < 2)
    #expect(abs(try value(.vibrato, "gain") - 1) < 0.01)
    #expect(abs(try value(.vibrato, "delay") - 40) < 1)
    // Without the dry channel, what depends on the delay is left out.
    let relative = try TapeReading(AudioFile(wet), of: tape.sheet, score: score).findings
    #expect(!relative.contains { ["impulses", "lead.delay", "delay"].contains($0.name) })
    #expect(relative.contains { $0.name == "gain" })
    // Two voices are no single pitch to follow.
    let two = Score(id: "two", intervalsSemitones: [0, 4])
    let none = try TapeReading(AudioFile(wet), of: tape.sheet, score: two).findings
      .filter { [.step, .vibrato].contains($0.aspect) }
    #expect(none.map(\.verdict) == [.undefined, .undefined], "\(none)")
  }

  /// 20 ms that a recorder loses within a test signal would be taken for the system's delay.
  @Test(arguments: TapeTest.allCases) func aTestWithLostSoundIsLeftOut(test: TapeTest) throws {
    let tape = try Self.tape(named: "lost", secondsOf: [1], tests: TapeTest.allCases)
    let atSeconds = try #require(tape.sheet.tests.first { $0.name == test }).atSeconds
    let channels = [0.74, 0.7].map { start -> [Float] in
      var sound = recorded(tape.sound, startSeconds: start)
      let place = Int((0.7 + atSeconds + 1.5) * Self.rateHz)
      sound.samples.removeSubrange(place..<place + 960)
      return sound.samples
    }
    let sound = AudioFile(channels: channels, sampleRateHz: Self.rateHz)
    let score = Score(id: "unison", intervalsSemitones: [0])
    let findings = try TapeReading(sound, of: tape.sheet, score: score, dryChannel: 2).findings
    let lost = findings.filter { $0.words.contains("20.0 ms were lost") }
    let aspect: [TapeTest: ProbeFinding.Aspect] = [
      .impulses: .latency, .steps: .step, .vibrato: .vibrato,
    ]
    // Another test between the same two marks is left out with it.
    #expect(lost.contains { $0.aspect == aspect[test] }, "\(findings)")
    for finding in findings where ["impulses", "lead.delay", "delay"].contains(finding.name) {
      #expect(finding.verdict == .undefined || abs((finding.value ?? 0) - 40) < 2, "\(finding)")
    }
  }

  @Test func aPartWithLostSoundIsLeftOut() throws {
    let tape = try Self.tape.get()
    var sound = recorded(tape.sound)
    let part = tape.sheet.parts[2]
    let place = Int((0.7 + part.atSeconds + 1) * Self.rateHz)
    sound.samples.removeSubrange(place..<place + 960)  // 20 ms
    let found = try reading(sound)
    #expect(Array(found.lostParts.keys) == [part.recording])
    #expect(found.lostParts[part.recording]?.contains("20.0 ms were lost") == true)
    #expect(abs(found.driftPpm) < 2)
  }

  /// The marks before a pause are those of the tape as well.
  @Test func aPartWithAPauseIsLeftOut() throws {
    let tape = try Self.tape.get()
    var sound = recorded(tape.sound)
    let part = tape.sheet.parts[2]
    let place = Int((0.7 + part.atSeconds + 1) * Self.rateHz)
    sound.samples.insert(contentsOf: [Float](repeating: 0, count: 240_000), at: place)
    let found = try reading(sound)
    #expect(Array(found.lostParts.keys) == [part.recording])
    #expect(found.lostParts[part.recording]?.contains("5000.0 ms were added") == true)
  }

  @Test func aPartWithAHoleIsLeftOut() throws {
    let tape = try Self.tape.get()
    var sound = recorded(tape.sound)
    let part = tape.sheet.parts[3]
    let place = Int((0.7 + part.atSeconds + 0.4) * Self.rateHz)
    for n in place..<place + 480 { sound.samples[n] = 0 }
    #expect(try Array(reading(sound).lostParts.keys) == [part.recording])
  }

  /// Silences of 2 ms between grains of a system, which fade to them within 0.4 ms, are no lost sound; on the
  /// dry channel they are.
  @Test func silenceBetweenGrainsIsTheSystems() throws {
    let tape = try Self.tape.get()
    let part = tape.sheet.parts[3]
    let places = stride(from: 0.2, to: 0.6, by: 0.0137).map { 0.7 + part.atSeconds + $0 }
    let sound = Self.gained(recorded(tape.sound)) { time, _ in
      let distance = places.map { abs(time - $0) }.min()!
      return Float(min(1, max(0, (distance - 0.001) / 0.0004)))
    }
    #expect(try reading(sound).lostParts.isEmpty)
    #expect(try Array(reading(sound, sound, dryChannel: 2).lostParts.keys) == [part.recording])
  }

  /// Figures that differed behind noise at -40 dB, codecs, compressors and limiters from those of the same
  /// output behind a plain recorder.
  private static let details = [
    "formant.f1_shift", "formant.f2_shift", "formant.f3_shift", "envelope.lsd",
    "pitch.residual.p95", "pitch.vibrato_extent_ratio",
  ]

  /// A room of 0.4 s leaves figures of timbre undefined, unless the way is known.
  @Test func aRoomIsNamed() throws {
    let room = Condition.room(Room(rt60S: 0.4, directDb: 8))
    let sound = room.applied(to: try Self.tape.get().sound)
    let found = try reading(sound)
    #expect(found.ringDb > -35)
    #expect(found.unmeasured["timbre"]?.contains("rings") == true)
    #expect(found.unmeasured["pitch.gross_errors"] == nil)
    #expect(try reading(sound, isByCable: true).unmeasured["timbre"] == nil)
  }

  /// Noise, however loud, is noise after each burst too, and no room.
  @Test(arguments: [-60.0, -50, -40]) func noiseIsNoRoom(dbfs: Double) throws {
    var random = SeededGenerator(seed: 3)
    var sound = try Self.tape.get().sound
    let width = Float(pow(10, dbfs / 20) * 3.0.squareRoot())
    for n in sound.samples.indices {
      sound.samples[n] += width * Float(2 * random.uniform() - 1)
    }
    #expect(try reading(sound).ringDb < -40)
  }

  /// A curve that halves the level above a mark's in decibels.
  @Test func aCompressorIsNamed() throws {
    var level: Float = 0
    let threshold: Float = 0.1
    let sound = Signal(
      try Self.tape.get().sound.samples.map { sample in
        level = max(abs(sample), level * 0.999)
        return level > threshold ? sample * (threshold / level).squareRoot() : sample
      }, sampleRateHz: Self.rateHz)
    let found = try reading(sound)
    #expect(found.stepsDb[0] < 5)
    for metric in ["harmonicity.change"] + Self.details {
      #expect(found.unmeasured[metric]?.contains("compressed") == true)
    }
    #expect(try reading(Self.tape.get().sound).unmeasured["harmonicity.change"] == nil)
  }

  /// The loudest two steps 4 dB too soft, as behind Praat an octave down, and the loudest step's low partials
  /// alone, as behind Rubber Band R2 an octave up.
  @Test(arguments: [(0.8, 0.0), (0.4, 500)])
  func oneStepOfAShifterIsNoCompressor(seconds: Double, belowHz: Double) throws {
    let tape = try Self.tape.get()
    let at = tape.sheet.stepsAtSeconds
    let turn = 2 * Double.pi * belowHz / Self.rateHz
    let alpha = sin(turn) / 2.0.squareRoot()
    var low = Biquad<Double>(
      b0: (1 - cos(turn)) / 2 / (1 + alpha), b1: (1 - cos(turn)) / (1 + alpha),
      b2: (1 - cos(turn)) / 2 / (1 + alpha), a1: -2 * cos(turn) / (1 + alpha),
      a2: (1 - alpha) / (1 + alpha))
    let found = try reading(
      Self.gained(tape.sound) { time, sample in
        let part = belowHz == 0 ? sample : Float(low.next(Double(sample)))
        guard at..<at + seconds ~= time, sample != 0 else { return 1 }
        return 1 - 0.37 * part / sample
      })
    #expect(found.unmeasured["harmonicity.change"] == nil)
    // Steps of level are seen to differ.
    #expect(abs(found.stepsDb[0] - found.stepsDb[3] - 26) > 1)
  }

  /// The first 16 kHz only, as behind a codec.
  @Test func aCodecIsNamed() throws {
    let tape = try Self.tape.get().sound
    let narrow = tape.resampled(to: 32_000).resampled(to: Self.rateHz)
    let found = try reading(narrow)
    #expect(found.unmeasured["harmonicity.change"]?.contains("above 16 kHz") == true)
    #expect(found.unmeasured["formant.ratio"] == nil)
    #expect(try reading(tape.resampled(to: 16_000)).unmeasured["timbre"]?.contains("8 kHz") == true)
    // A dry channel tells what is the recorder's.
    #expect(try reading(narrow, tape, dryChannel: 2).unmeasured["harmonicity.change"] == nil)
    #expect(try reading(tape, narrow, dryChannel: 2).unmeasured["harmonicity.change"] != nil)
  }

  /// A dry channel with noise where there is sound, as of a codec, at -30 dB of it; -70 dB, as at 16 bits, is
  /// nothing, and a filter adds none.
  @Test(arguments: [(-30.0, false), (-70, true)])
  func aCodecOfTheDryChannelIsNamed(dB: Double, isGood: Bool) throws {
    var random = SeededGenerator(seed: 6)
    let width = Float(pow(10, dB / 20) * 12.0.squareRoot())
    let tape = try recorded(Self.tape.get().sound, ppm: 70, gainDb: -6)
    let coded = Self.gained(tape) { _, _ in 1 + width * Float(random.uniform() - 0.5) }
    let found = try reading(tape, coded, dryChannel: 2).unmeasured
    #expect((found["harmonicity.change"] == nil) == isGood)
    #expect(isGood || found["latency"]?.contains("distorted, 3") == true)
    let low = zip([0] + coded.samples, coded.samples).map { 0.5 * ($0 + $1) }
    let filtered = Signal(low, sampleRateHz: Self.rateHz)
    #expect(try (reading(tape, filtered, dryChannel: 2).unmeasured["latency"] == nil) == isGood)
  }

  /// White noise, whose level relative to a mark of -22.5 dBFS is known.
  @Test(arguments: [(-60.0, false), (-80, true)])
  func noiseIsNamed(dbfs: Double, isGood: Bool) throws {
    var random = SeededGenerator(seed: 3)
    let width = Float(pow(10, dbfs / 20) * 12.0.squareRoot())
    let tape = try Self.tape.get().sound
    let found = try reading(
      Signal(
        tape.samples.map { $0 + width * Float(random.uniform() - 0.5) },
        sampleRateHz: tape.sampleRateHz))
    #expect(abs(found.noiseDbfs - dbfs) < 0.5)
    for metric in ["harmonicity.change"] + Self.details {
      #expect((found.unmeasured[metric] == nil) == isGood)
    }
  }

  /// A resonance of 9 dB at 2 kHz, Q 1: a peaking filter of the Audio EQ Cookbook.
  @Test func aLoudspeakerIsNamed() throws {
    let (turn, gain) = (2 * Double.pi * 2000 / Self.rateHz, pow(10, 9.0 / 40))
    let (up, down) = (sin(turn) / 2 * gain, sin(turn) / 2 / gain)
    var filter = Biquad<Double>(
      b0: (1 + up) / (1 + down), b1: -2 * cos(turn) / (1 + down), b2: (1 - up) / (1 + down),
      a1: -2 * cos(turn) / (1 + down), a2: (1 - down) / (1 + down))
    let tape = try Self.tape.get().sound
    let found = try reading(
      Signal(
        tape.samples.map { Float(filter.next(Double($0))) }, sampleRateHz: tape.sampleRateHz))
    #expect(found.unmeasured["timbre"]?.contains("third octaves") == true)
    #expect(found.unmeasured["pitch.abs_error"] == nil)
  }

  /// Marks that a system moves down as a whole, with the end of the band: no loudspeaker and, for all that
  /// can be told, no codec.
  @Test func aMovedBandIsTheSystems() throws {
    let tape = try Self.tape.get()
    let ratio = 0.45  // the band ends at 10.8 kHz
    let short = TapeMark.burst(seconds: TapeMark.seconds * ratio) {
      TapeMark.isOn(atSeconds: $0 / ratio) ? 1 : 0
    }
    let mark = Signal(short.samples, sampleRateHz: Self.rateHz * ratio).resampled(to: Self.rateHz)
    let gain = Float(pow(10, tape.sheet.gainDb / 20))
    var low = tape.sound
    for time in tape.sheet.marks {
      let first = Int(time * Self.rateHz)
      for n in 0..<mark.count { low.samples[first + n] = gain * mark.samples[n] }
    }
    func rangeDb(semitones: [Double]) -> Double {
      let found = tape.sheet.marks.enumerated().map {
        MarkFit.Found(mark: $0.offset, atSeconds: $0.element, correlation: 1)
      }
      let fit = MarkFit(found, marks: tape.sheet.marks, minStep: 0.001)
      return TapeSpectrum([low], fit: fit, semitones: semitones, tapeRateHz: Self.rateHz).rangeDb
    }
    let semitones = 12 * log2(ratio)
    #expect(rangeDb(semitones: [semitones]) < 1.5)
    #expect(rangeDb(semitones: []) > 3)
    func reason(semitones: Double) throws -> String {
      try reading(low, semitones: semitones).unmeasured["harmonicity.change"] ?? ""
    }
    #expect(try reason(semitones: semitones).contains("comes out, where the shifted"))
    #expect(try reason(semitones: 0).contains("as behind a codec"))
  }

  // MARK: What is refused

  /// A fault of a recorder, and the words that name it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    let words: String
    let recording: @Sendable (Signal) -> Signal

    init(_ name: String, _ words: String, _ recording: @escaping @Sendable (Signal) -> Signal) {
      (self.name, self.words, self.recording) = (name, words, recording)
    }
    var testDescription: String { name }
  }

  private static func gained(_ sound: Signal, _ gain: (Double, Float) -> Float) -> Signal {
    Signal(
      sound.samples.enumerated().map { gain(Double($0) / sound.sampleRateHz, $1) * $1 },
      sampleRateHz: sound.sampleRateHz)
  }

  /// Sound behind a gate of 50 ms.
  private static func gated(_ sound: Signal, below threshold: Float) -> Signal {
    var level: Float = 0
    return Signal(
      sound.samples.map { sample in
        level = max(abs(sample), level * 0.9996)
        return level < threshold ? 0 : sample
      }, sampleRateHz: sound.sampleRateHz)
  }

  /// A tape over itself.
  private static func twice(_ sound: Signal, _ seconds: Double, gain: Float = 1) -> Signal {
    let silence = [Float](repeating: 0, count: Int(seconds * sound.sampleRateHz))
    let samples = zip(sound.samples + silence, silence + sound.samples).map { $0 + gain * $1 }
    return Signal(samples, sampleRateHz: sound.sampleRateHz)
  }

  static let faults: [Fault] = [
    Fault("late start", "begins") { sound in
      Signal(Array(sound.samples.dropFirst(5 * 48_000)), sampleRateHz: sound.sampleRateHz)
    },
    Fault("early end", "before the last") { sound in
      Signal(Array(sound.samples.dropLast(9 * 48_000)), sampleRateHz: sound.sampleRateHz)
    },
    Fault("silence", "is silent") { gained($0) { _, _ in 0 } },
    Fault("noise", "has no marks") { sound in
      .noise(count: sound.count, seed: 4, sampleRateHz: sound.sampleRateHz)
    },
    Fault("44.1 kHz played at 48", "8.8 % too fast") { sound in
      Signal(sound.resampled(to: 44_100).samples, sampleRateHz: 48_000)
    },
    Fault("48 kHz played at 44.1", "8.1 % too slow") { sound in
      Signal(sound.samples, sampleRateHz: 44_100)
    },
    Fault("two percent slow", "2.0 % too slow") { sound in
      Signal(sound.samples, sampleRateHz: 48_000 / 1.0204)
        .resampled(to: 48_000)
    },
    Fault("half speed", "50.0 % too slow") { sound in
      Signal(sound.resampled(to: 96_000).samples, sampleRateHz: 48_000)
    },
    Fault("one and a half times the speed", "50.0 % too fast") { sound in
      Signal(sound.resampled(to: 32_000).samples, sampleRateHz: 48_000)
    },
    Fault("backwards", "backwards") { sound in
      Signal(sound.samples.reversed(), sampleRateHz: sound.sampleRateHz)
    },
    Fault("many dropouts", "lacks sound in many places") { sound in
      var random = SeededGenerator(seed: 8)
      var left = sound
      for start in stride(from: left.count - 48_000, to: 0, by: -48_000) {
        let place = start + Int(48_000 * 0.8 * random.uniform())
        left.samples.removeSubrange(place..<place + Int(4_000 * random.uniform()))
      }
      return left
    },
    Fault("twice, 0.1 s apart", "twice at once, 0.10 s apart") { twice($0, 0.1) },
    Fault("twice, 3 s apart", "twice at once, 3.00 s apart") { twice($0, 3) },
    Fault("twice, 20 s apart", "twice at once, 20.00 s apart") { twice($0, 20) },
    Fault("clipped", "is clipped") { sound in
      gained(sound) { _, sample in abs(sample) > 0.15 ? 0.15 / abs(sample) : 1 }
    },
    Fault("gate", "is gated") { sound in
      gated(sound, below: 0.02)
    },
    Fault("automatic gain", "automatic gain") { sound in
      gained(sound) { time, _ in Float(pow(10, 0.4 * sin(time / 3))) }
    },
    Fault("echo cancellation", "echo cancellation") { sound in
      gained(sound) { time, _ in time < 4 ? 1 : 0.1 }
    },
    Fault("asleep", "went to sleep") { gained($0) { time, _ in time > 22 ? 0 : 1 } },
    Fault("asleep at first", "muted or asleep") { gained($0) { time, _ in time < 5 ? 0 : 1 } },
  ]

  @Test(arguments: faults) func aWrongRecordingIsRefused(fault: Fault) throws {
    let sound = fault.recording(try Self.tape.get().sound)
    let problem = try problem(sound)
    #expect(problem.contains(fault.words), "\(problem)")
  }

  /// Tapes of other voices, and of some of the same.
  @Test(arguments: [[1.3, 2.1, 0.9, 1.7, 1.2], [1.1, 1.6, 2.3, 0.8]])
  func anotherTapeIsRefused(lengths: [Double]) throws {
    let other = try Self.tape(named: "other", secondsOf: lengths)
    let problem = try problem(recorded(other.sound))
    #expect(problem.contains("another tape"), "\(problem)")
  }

  /// An echo of the system's is no second playback.
  @Test func anEchoByCableIsRead() throws {
    let sound = Self.twice(try Self.tape.get().sound, 0.6, gain: 0.7)
    #expect(try problem(sound).contains("add --by-cable"))
    #expect(try reading(sound, isByCable: true).lostParts.isEmpty)
  }

  @Test func missingMarksAreNamed() throws {
    let tape = try Self.tape.get()
    let lost = tape.sheet.marks[3...4]
    let sound = Self.gained(tape.sound) { time, _ in
      lost.contains { $0 - 0.1..<$0 + 1.4 ~= time } ? 0 : 1
    }
    let problem = try problem(sound)
    #expect(problem.hasPrefix("lacks 2 of 7 marks, at"), "\(problem)")
  }

  @Test func wrongDryChannelsAreNamed() throws {
    let tape = try Self.tape.get().sound
    let silence = Self.gained(tape) { _, _ in 0 }
    #expect(try problem(tape, dryChannel: 1).contains("has one channel, the dry one"))
    #expect(try problem(tape, tape, dryChannel: 3).contains("--dry-channel is 3; choose 1 to 2"))
    #expect(try problem(silence, tape, dryChannel: 2).contains("others have no mark of it"))
    var random = SeededGenerator(seed: 9)
    let system = Self.gained(tape) { _, _ in random.uniform() < 0.5 ? 1 : -1 }
    #expect(
      try problem(tape, system, dryChannel: 2).contains("another channel than the dry one, 2"))
    #expect(try problem(system, tape, dryChannel: 2) == "read without an error")
  }

  // MARK: The sheet

  @Test func theSheetIsReadAsWritten() throws {
    let folder = try TemporaryFolder()
    let sheet = try Self.tape.get().sheet
    let file = try folder.write(sheet.text(), to: "tape.yaml")
    let read = try TapeSheet(reading: file)
    #expect(read.parts.map(\.recording) == sheet.parts.map(\.recording))
    #expect(read.parts.map(\.samples) == sheet.parts.map(\.samples))
    #expect(read.scores == sheet.scores)
    for (one, other) in zip(read.marks, sheet.marks) { #expect(abs(one - other) < 1e-6) }
  }

  @Test func aTapeOfNoSheetIsNamed() throws {
    let folder = try TemporaryFolder()
    let text = try Self.tape.get().sheet.text()
    for (wrong, words) in [
      (text.replacing("tape/1", with: "tape/9"), "of schema"),
      (text.replacing("\"marks\"", with: "\"mark\""), "lacks 'marks'"), ("", "is empty"),
    ] {
      let file = try folder.write(wrong, to: "tape.yaml")
      expectError(words) { try TapeSheet(reading: file) }
    }
  }
}
