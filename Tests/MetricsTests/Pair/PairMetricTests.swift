import DSP
import Foundation
import Singer
import Testing

@testable import Metrics

/// Known defects of sound pairs are measured with their size.
@Suite struct PairMetricTests {
  /// A tenor's vowels without irregularities, which differ between renderings.
  private static let performance = try! Songbook.performance(id: "vowels-tenor")
    .withIrregularity(times: 0)
  private static let voice = cut(try! performance.render().signal)

  private static func cut(_ signal: Signal) -> Signal {
    Signal(Array(signal.samples.prefix(4 * 48_000)), sampleRateHz: 48_000)
  }

  private func finding(
    _ id: String, of test: Signal, against reference: Signal = voice, semitones: Double = 0
  ) throws -> Double {
    let pair = try SoundPair(test, against: reference, shiftSemitones: semitones)
    let metrics = PairMetric.all.filter { $0.figures.contains { $0.id == id } }
    let finding = try #require(PairFinding.all(of: pair, metrics).first { $0.figure.id == id })
    return try #require(finding.measurement.outcome.number)
  }

  @Test func aSoundEqualsItself() throws {
    let pair = try SoundPair(Self.voice, against: Self.voice)
    let perfect = ["ratio": 1.0, "share": 0]
    for finding in PairFinding.all(of: pair) {
      guard let value = finding.measurement.outcome.number else { continue }
      let id = finding.figure.id
      if ["dc.offset", "noise.floor"].contains(id) { continue }  // figures of the test alone
      let ideal = id.hasPrefix("pitch.within") ? 1 : perfect[finding.figure.unit] ?? 0
      #expect(abs(value - ideal) < 1e-6, "\(id)")
    }
  }

  @Test func everyFigureHasAUniqueNameAndOneMeasurement() throws {
    let ids = PairMetric.all.flatMap(\.figures).map(\.id)
    #expect(Set(ids).count == ids.count)
    let silence = Signal(Array(repeating: 0, count: 480), sampleRateHz: 48_000)
    let pair = try SoundPair(silence, against: Self.voice)
    for metric in PairMetric.all { #expect(metric.measure(pair).count == metric.figures.count) }
  }

  @Test(arguments: [-480, 0, 1, 10, 4800]) func delayIsFoundToTheSample(samples: Int) throws {
    let late = Signal(
      Array(repeating: 0, count: max(0, samples)) + Self.voice.samples.dropFirst(max(0, -samples)),
      sampleRateHz: 48_000)
    let found = try finding("latency.alignment", of: late)
    #expect(abs(found * 48 - Double(samples)) < 0.05)
  }

  /// A jump of the delay by 20 ms leaves no one delay, but pitch follows it; figures of the whole do not.
  @Test func pitchFollowsADelayThatJumps() throws {
    var test = Self.voice
    let place = test.count / 2
    test.samples.insert(contentsOf: [Float](repeating: 0, count: 960), at: place)
    let pair = try SoundPair(test, against: Self.voice)
    #expect(pair.delay.ms == nil && pair.delay.trajectory != nil)
    let found = Dictionary(
      uniqueKeysWithValues: PairFinding.all(of: pair).map { ($0.figure.id, $0.measurement.outcome) }
    )
    let error = try #require(found["pitch.abs_error"]?.number)
    #expect(error < 2, "\(error)")
    #expect(found["intelligibility.stoi"]?.number == nil)
  }

  /// The same singer out of tune is measured within 0.1 cents plus 2 %.
  @Test(arguments: [1.0, 2, 5, 10, 50]) func detuningIsMeasuredInCents(cents: Double) throws {
    let sharp = Self.cut(try Self.performance.transposed(bySemitones: cents / 100).render().signal)
    let bound = 0.1 + 0.02 * cents
    #expect(abs(try finding("pitch.bias", of: sharp) - cents) < bound)
    #expect(abs(try finding("pitch.abs_error", of: sharp) - cents) < bound)
  }

  @Test func aRequestedShiftIsNoError() throws {
    let higher = Self.cut(try Self.performance.transposed(bySemitones: 7).render().signal)
    #expect(try finding("pitch.abs_error", of: higher, semitones: 7) < 1)
    #expect(abs(try finding("pitch.abs_error", of: higher) - 700) < 1)
    // The singer keeps its vocal tract; played faster, the ratio would be 1.5.
    #expect(abs(try finding("formant.ratio", of: higher) - 1) < 0.02)
  }

  /// A sine's level is half of its squared amplitude; in the pauses nothing else sounds. Dither of 16 bits
  /// is as good as silence.
  @Test(arguments: [(0, -80.0), (2e-5, -80), (0.002, -57.0), (0.02, -37)])
  func theNoiseFloorIsThatOfThePauses(amplitude: Float, dbfs: Double) throws {
    var voice = Self.voice
    for i in 0..<48_000 { voice.samples[i] = 0 }
    for i in voice.samples.indices { voice.samples[i] += amplitude * sin(Float(i) * 0.04) }
    #expect(abs(try finding("noise.floor", of: voice) - dbfs) < 0.3)
  }

  @Test(arguments: [0.5, 1, 2, 5, 10]) func tremoloIsMeasuredInDecibels(depthDb: Double) throws {
    let swung = Self.changed { time, x in
      x * Float(pow(10, depthDb / 2 * sin(2 * .pi * 6.3 * time) / 20))
    }
    #expect(abs(try finding("tremolo.added", of: swung) - depthDb) < 0.02 * depthDb)
    #expect(abs(try finding("tremolo.added_rate", of: swung) - 6.3) < 0.1)
  }

  /// Single samples from 12 dB above the voice to 44 dB below it, where the voice masks them.
  @Test(arguments: [(12.0, 1), (0, 2), (-20, 5), (-40, 10), (-44, 0), (-44, 10), (-44, 100)])
  func clicksAreCounted(levelDb: Double, count: Int) throws {
    var clicked = Self.voice
    let size = Float(Self.voice.rms * pow(10, levelDb / 20))
    for i in 0..<count { clicked.samples[5_000 + i * 1_801] += i.isMultiple(of: 2) ? size : -size }
    #expect(try finding("clicks.count", of: clicked) == Double(count))
  }

  /// Single samples 48 dB below the voice. The best ears hear them down to 46 dB below a voice of 85 dB.
  @Test func clicksThatNobodyHearsDoNotCount() throws {
    var clicked = Self.voice
    for i in 0..<10 { clicked.samples[5_000 + i * 1_801] += Float(Self.voice.rms * 0.004) }
    #expect(try finding("clicks.count", of: clicked) == 0)
  }

  /// Without the same voice as reference, clicks must be louder than its own pulses.
  @Test(arguments: [1, 3, 10]) func clicksAreCountedWithoutTheSameVoice(count: Int) throws {
    var clicked = Self.cut(try Self.performance.transposed(bySemitones: 7).render().signal)
    let size = Float(Self.voice.rms * 4)
    for i in 0..<count { clicked.samples[24_000 + i * 14_000] += size }
    #expect(try finding("clicks.count", of: clicked, semitones: 7) == Double(count))
  }

  @Test(arguments: [-6.0, 3]) func gainChangesTheLevelAndNothingElse(gainDb: Double) throws {
    let changed = Self.changed { _, x in x * Float(pow(10, gainDb / 20)) }
    #expect(abs(try finding("level.change", of: changed) - gainDb) < 0.01)
    #expect(try finding("envelope.lsd", of: changed) < 0.01)
    #expect(try finding("timbre.mcd", of: changed) < 0.01)
  }

  @Test func defectsOfTheTestAreCounted() throws {
    let flawed = Self.changed { time, x in
      time > 1 && time < 1.0001 ? .nan : max(-0.15, min(0.15, 3 * x)) + 0.01
    }
    #expect(try finding("samples.non_finite", of: flawed) == 4)
    #expect(abs(try finding("dc.offset", of: flawed) - 0.01) < 0.003)
    #expect(try finding("clipping.share", of: flawed) > 0.01)
  }

  @Test func soundsOfDifferentRatesAreRefused() {
    let other = Signal(Self.voice.samples, sampleRateHz: 44_100)
    #expect(throws: SoundPair.Failure.ratesDiffer(referenceHz: 48_000, testHz: 44_100)) {
      try SoundPair(other, against: Self.voice)
    }
    let none = Signal([], sampleRateHz: 48_000)
    #expect(throws: SoundPair.Failure.empty("test")) { try SoundPair(none, against: Self.voice) }
  }

  private static func changed(_ change: (Double, Float) -> Float) -> Signal {
    Signal(voice.samples.enumerated().map { change(Double($0) / 48_000, $1) }, sampleRateHz: 48_000)
  }
}
