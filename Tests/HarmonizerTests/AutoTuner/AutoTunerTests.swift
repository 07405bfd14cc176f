import Analyzer
import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct AutoTunerTests {
  static let chromatic = TuningTarget.tones((0..<12).map { PitchClass($0) })

  static func settings(_ change: (inout AutoTuner.Settings) -> Void = { _ in })
    -> AutoTuner.Settings
  {
    var settings = AutoTuner.Settings(target: chromatic)
    change(&settings)
    return settings
  }

  static func make(_ settings: AutoTuner.Settings = settings()) throws -> AutoTuner {
    try AutoTuner(settings, sampleRateHz: 48_000)
  }

  /// Eight harmonics falling by 6 dB an octave, at a pitch that changes with time.
  static func voice(seconds: Double, rateHz: Double = 48_000, hz: (Double) -> Double) -> [Float] {
    Signal.harmonics(
      sawtooth(8, first: 0.2), seconds: seconds, sampleRateHz: rateHz, hz: hz
    ).samples
  }

  /// The pitch every 20 ms from a least squares fit near `hz`, in cents above `hz`.
  static func cents(_ sound: [Float], near hz: Double) -> [Double] {
    let signal = Signal(sound, sampleRateHz: 48_000)
    let count = Int(signal.durationSeconds / 0.02)
    let around = PitchTrack(hopSeconds: 0.02, f0Hz: Array(repeating: hz, count: count))
    return HarmonicFit(of: signal).track(around: around, every: 1).f0Hz.map {
      $0 > 0 ? 1200 * log2($0 / hz) : .infinity
    }
  }

  @Test func keepsTheProcessorContract() throws {
    for (lowDelay, engine) in [(false, Engine.Name.delayline), (true, .delayline), (false, .psola)]
    {
      let conformance = ProcessorConformance {
        try Self.make(
          Self.settings {
            $0.lowDelay = lowDelay
            $0.engine = Engine(engine)
          })
      }
      #expect(try conformance.blockSizeFindings() == [])
      #expect(try conformance.resetFindings() == [])
      #expect(try conformance.realtimeFindings() == [])
    }
  }

  /// A tuner without correction returns its input bit for bit, late by the stated latency.
  @Test func anAmountOfZeroIsTransparent() throws {
    for lowDelay in [false, true] {
      let settings = Self.settings {
        $0.correction.amountPercent = 0
        $0.lowDelay = lowDelay
      }
      var tuner = try Self.make(settings)
      let input = Self.voice(seconds: 0.5) { 225 + 30 * $0 }
      let output = tuner.render(input)
      let late = tuner.latencySamples
      #expect(output[..<late].allSatisfy { $0 == 0 })
      #expect(Array(output[late...]) == Array(input[..<(input.count - late)]))
      var conformance = ProcessorConformance { try Self.make(settings) }
      conformance.recoverySamples = 2400
      #expect(try conformance.findings() == [])
      #expect(try conformance.latencyFindings(impulses: 5) == [])
    }
  }

  /// A note 40 cents flat is corrected to its nominal pitch.
  @Test(arguments: [110.0, 220, 440], [Engine.Name.delayline, .psola])
  func steadyNotesComeOutInTune(hz: Double, engine: Engine.Name) throws {
    var tuner = try Self.make(Self.settings { $0.engine = Engine(engine) })
    let output = tuner.render(Self.voice(seconds: 1) { _ in hz * exp2(-0.4 / 12) })
    let cents = Self.cents(output, near: hz)[10..<45].sorted()
    #expect(abs(cents[17]) < 1, "\(cents)")
  }

  /// The correction is applied to the same samples that it was measured on, so vibrato is removed
  /// too. A correction 10 ms late would leave a third of the vibrato, 2 sin(π · 5.5 · 0.01) = 0.34.
  @Test(arguments: [Engine.Name.delayline, .psola])
  func correctionsAreAlignedWithTheirSound(engine: Engine.Name) throws {
    var tuner = try Self.make(Self.settings { $0.engine = Engine(engine) })
    let output = tuner.render(
      Self.voice(seconds: 1) { 220 * exp2(0.4 / 12 * sin(2 * .pi * 5.5 * $0)) })
    let cents = Self.cents(output, near: 220)[10..<45].map(abs).sorted()
    // Frames next to one of the engine's splices deviate; they are less than half of all frames.
    #expect(cents[17] < 2, "\(cents)")
  }

  @Test func theLogContainsNotesAndCorrections() throws {
    let major = TuningTarget.key(try Key(named: "C major"))
    var tuner = try Self.make(Self.settings { $0.target = major })
    let input = Self.voice(seconds: 1) { ($0 < 0.5 ? 220 : 247) * exp2(-0.3 / 12) }
    var log = TuningLog(of: tuner)
    _ = tuner.render(input)
    log.record(&tuner)
    #expect(log.notes.map(\.key) == [57, 59])
    #expect(abs(log.notes[1].targetHz - 246.941651) < 1e-5)
    // The tracker finds the change within one or two periods.
    #expect(abs(Double(log.notes[1].startSample) - 24_000) < 480)
    let settled = log.moments.filter { $0.sample > 12_000 && $0.sample < 23_000 }
    #expect(settled.count > 80 && settled.allSatisfy { abs($0.correctionCents - 30) < 0.5 })
    let again = try JSONDecoder().decode(TuningLog.self, from: JSONEncoder().encode(log))
    #expect(again == log)
  }

  @Test func replaysAreTheSame() throws {
    let input = Self.voice(seconds: 0.5) { 200 + 60 * $0 }
    func replay() throws -> ([Float], TuningLog) {
      var tuner = try Self.make(Self.settings { $0.target = .heldKeys(.any) })
      var log = TuningLog(of: tuner)
      tuner.press(56)
      let first = tuner.render(Array(input[..<9_600]))
      tuner.release(56)
      tuner.press(57)
      let second = tuner.render(Array(input[9_600...]))
      log.record(&tuner)
      return (first + second, log)
    }
    let (once, twice) = (try replay(), try replay())
    #expect(once.0 == twice.0 && once.1 == twice.1)
    // A key press applies to the sound after it, even though that is analysed later.
    let changed = try #require(once.1.moments.first { $0.key == 57 })
    // Within a hop plus the look-ahead that the tracker is missing at 200 Hz.
    #expect(changed.sample >= 9_600 - 20 && changed.sample < 9_600 + 121)
  }

  /// Pitch bend moves the target from the sample at which it is set, also in other octaves.
  @Test(arguments: [(57, TuningTarget.Octaves.asPlayed), (69, .any)])
  func pitchBendMovesTheTarget(key: Int, octaves: TuningTarget.Octaves) throws {
    let input = Self.voice(seconds: 1) { _ in 220 }
    var tuner = try Self.make(Self.settings { $0.target = .heldKeys(octaves) })
    var log = TuningLog(of: tuner)
    tuner.press(key)
    _ = tuner.render(Array(input[..<24_000]))
    tuner.setBend(semitones: 0.5, ofKey: key)
    _ = tuner.render(Array(input[24_000...]))
    log.record(&tuner)
    #expect(log.notes.map(\.key) == [57])
    for (range, bend) in [(4_800..<23_000, 0.0), (25_000..<46_000, 0.5)] {
      let moments = log.moments.filter { range.contains($0.sample) }
      #expect(moments.count > 80)
      for moment in moments {
        let target = try #require(moment.targetHz)
        #expect(abs(12 * log2(target / 220) - bend) < 1e-6)
        // Immediately, since the retune time is 0; the tracker errs by less than half a cent.
        #expect(abs(moment.correctionCents - 100 * bend) < 0.5)
      }
    }
  }

  /// One bad sample leaves the output finite and changes the correction for at most 50 ms.
  @Test(arguments: [Float.nan, .infinity, -.greatestFiniteMagnitude, 1])
  func recoversFromABadSample(bad: Float) throws {
    var input = Self.voice(seconds: 0.6) { _ in 215 }
    input[14_400] = bad
    var tuner = try Self.make()
    var log = TuningLog(of: tuner)
    let output = tuner.render(input)
    #expect(output.allSatisfy { $0.isFinite && abs($0) < 4 })
    log.record(&tuner)
    let wanted = 1200 * log2(220 / 215.0)
    let after = log.moments.filter { $0.sample > 14_400 + 2400 }
    #expect(!after.isEmpty && after.allSatisfy { abs($0.correctionCents - wanted) < 1 })
  }

  @Test(arguments: [8_000.0, 44_100, 192_000])
  func allSampleRatesWork(rateHz: Double) throws {
    var tuner = try AutoTuner(Self.settings(), sampleRateHz: rateHz)
    var log = TuningLog(of: tuner)
    _ = tuner.render(Self.voice(seconds: 0.4, rateHz: rateHz) { _ in 215 })
    log.record(&tuner)
    #expect(log.notes.map(\.key) == [57])
    for odd: [Float] in [[], [1], Array(repeating: 0.5, count: 500), [.nan, 3e38]] {
      let output = tuner.render(odd)
      #expect(output.allSatisfy { $0.isFinite })
    }
  }

  @Test func settingsAreCodable() throws {
    for target: TuningTarget in [
      .key(try Key(named: "Eb dorian")), .tones([PitchClass(0), PitchClass(7)]), .heldKeys(.any),
    ] {
      let settings = Self.settings { ($0.target, $0.lowDelay) = (target, true) }
      let data = try JSONEncoder().encode(settings)
      #expect(try JSONDecoder().decode(AutoTuner.Settings.self, from: data) == settings)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TuningTarget.self, from: Data(#"{"scale": "C major"}"#.utf8))
    }
    #expect(throws: SettingsError.self) {
      _ = try Self.make(Self.settings { $0.target = .tones([]) })
    }
    #expect(throws: SettingsError.self) { _ = try Self.make(Self.settings { $0.lookAheadMs = 61 }) }
  }
}
