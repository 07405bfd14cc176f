import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

@Suite struct ExpressionTests {
  /// An octave in 100 ms is 4800 samples, whatever the block size.
  @Test(arguments: [1, 37, 480]) func aGlideIsAStraightLine(block: Int) throws {
    var settings = Glide.Settings()
    settings.glideMs = 100
    var glide = Glide(settings, sampleRateHz: 48_000)
    glide.aim(at: 60)
    #expect(glide.semitones == 60)  // the first note starts without a glide
    glide.aim(at: 72)
    var time = 0
    while time < 6000 {
      time += block
      let pitch = glide.next(samples: block)
      #expect(abs(pitch - min(72, 60 + 12 * Double(time) / 4800)) < 1e-9)
    }
    #expect(glide.semitones == 72)
  }

  /// A fifth takes 58.33 ms at 100 ms an octave; a new target midway starts from the current pitch.
  @Test func aGlideMayHaveAConstantRate() throws {
    var settings = Glide.Settings()
    (settings.glideMs, settings.pace) = (100, .constantRate)
    var glide = Glide(settings, sampleRateHz: 48_000)
    glide.aim(at: 60)
    glide.aim(at: 67)
    #expect(glide.next(samples: 2799) < 67 && glide.next(samples: 1) == 67)
    glide.aim(at: 55)
    #expect(abs(glide.next(samples: 2400) - 61) < 1e-9)
    glide.aim(at: 62)  // one semitone: 400 samples
    #expect(abs(glide.next(samples: 200) - 61.5) < 1e-9 && glide.next(samples: 200) == 62)
    glide.aim(at: .nan)
    glide.aim(at: 50, jumps: true)
    #expect(glide.semitones == 50)
  }

  @Test func anEnvelopeTakesTheTimesStated() throws {
    var settings = Envelope.Settings()
    (settings.attackMs, settings.decayMs) = (10, 20)
    (settings.sustainGain, settings.releaseMs) = (0.5, 50)
    var envelope = Envelope(settings, sampleRateHz: 48_000)
    #expect(envelope.next() == 0 && envelope.isSilent)
    envelope.press()
    let rising = (0..<480).map { _ in envelope.next() }
    // The time is exact to a sample: rounding may end the attack one later.
    #expect(rising[478] < 1 && rising[479] > 0.999)
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 })
    let falling = (0..<962).map { _ in envelope.next() }
    #expect(falling[950] > 0.5 && falling[961] == 0.5)
    // Halfway in time, 1.001 / √1001 - 0.001 = 0.0306 of the distance is left.
    #expect(abs(falling[479] - (0.5 + 0.5 * 0.0306)) < 0.001)
    #expect((0..<1000).allSatisfy { _ in envelope.next() == 0.5 })
    envelope.release()
    let first = envelope.next()
    #expect(first < 0.5 && first > 0.49)  // no step
    // From half the level the release is shorter than from the full level, 2400 samples.
    let count = (0..<2401).firstIndex { _ in envelope.next() == 0 }
    // From level L the time is T · ln((L + b) / b) / ln((1 + b) / b) with b = 0.001.
    let expected = 2400 * log(501.0) / log(1001.0)
    #expect(abs(Double(try #require(count)) + 2 - expected) <= 2)
    #expect(envelope.isSilent)
  }

  /// Pressed again midway, it rises from the current level, with no step larger than the release's
  /// first.
  @Test func anEnvelopePressedAgainMakesNoStep() throws {
    var settings = Envelope.Settings()
    (settings.attackMs, settings.decayMs) = (20, 30)
    (settings.sustainGain, settings.releaseMs) = (0.7, 40)
    var envelope = Envelope(settings, sampleRateHz: 48_000)
    var random = SeededGenerator(seed: 3)
    var last = 0.0
    // The first step of the steepest part, the release from 1: 1.001 · ln(1001) / 1920 = 0.0036.
    for _ in 0..<100_000 {
      let draw = random.uniform()
      if draw < 0.001 { envelope.press() } else if draw < 0.002 { envelope.release() }
      let level = envelope.next()
      #expect(abs(level - last) < 0.0037 && (0...1).contains(level))
      last = level
    }
  }

  @Test func anEnvelopeWithoutTimesIsAGate() throws {
    var settings = Envelope.Settings()
    (settings.attackMs, settings.releaseMs) = (0, 0)
    var envelope = Envelope(settings, sampleRateHz: 48_000)
    envelope.press()
    #expect([envelope.next(), envelope.next(), envelope.next()] == [1, 1, 1])
    envelope.release()
    #expect(envelope.next() == 0 && envelope.isSilent)
  }

  /// The scoop is half a cosine from -200 cents, half of it at half the time.
  @Test func aScoopRisesIntoTheNote() throws {
    var settings = OnsetScoop.Settings()
    (settings.depthCents, settings.scoopMs) = (200, 100)
    var scoop = OnsetScoop(settings, sampleRateHz: 48_000)
    #expect(scoop.next(samples: 100) == 0)  // before the first note
    scoop.begin()
    #expect(scoop.cents == -200)
    #expect(abs(scoop.next(samples: 2400) + 100) < 1e-9)
    #expect(scoop.next(samples: 2400) == 0 && scoop.next(samples: 1_000_000) == 0)
  }

  /// A vibrato of 5.5 Hz and ±40 cents after 300 ms of straight tone and a ramp of 200 ms.
  @Test func aVibratoHasItsRateExtentAndOnset() throws {
    var settings = Vibrato.Settings()
    (settings.extentCents, settings.onsetDelayMs, settings.onsetRampMs) = (40, 300, 200)
    var vibrato = Vibrato(settings, sampleRateHz: 48_000)
    let line = (0..<96_000).map { _ in vibrato.next(samples: 1) }
    #expect(line[..<14_400].allSatisfy { $0 == 0 })
    #expect(line[14_400..<24_000].allSatisfy { abs($0) < 40 })
    let steady = Array(line[24_000..<72_000])
    let crossings = zip(steady, steady.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(crossings == 11)
    #expect(abs(steady.max()! - 40) < 1e-3)
    #expect(abs(steady.min()! + 40) < 1e-3)
    // A quarter of a cycle after the delay, 2182 samples, the ramp is at 0.2273.
    let quarter = line[14_400 + 2181]
    #expect(abs(quarter - 40 * 0.2273) < 0.01)
    vibrato.begin()
    #expect((0..<14_400).allSatisfy { _ in vibrato.next(samples: 1) == 0 })
  }

  /// The random walk has mean 0, a deviation of 12 cents and a correlation of 1/e after 200 ms. In
  /// 1500 s there are 3750 independent values, and 7500 of the square. The standard errors are 1.6
  /// % of the deviation for the mean, 0.8 % for the deviation and about 1.5 % for a correlation;
  /// four times these are allowed.
  @Test func theDriftHasItsVarianceAndCorrelation() throws {
    var settings = PitchDrift.Settings()
    (settings.driftCents, settings.correlationMs) = (12, 200)
    var drift = PitchDrift(settings, seed: 11, sampleRateHz: 1000)
    let line = (0..<300_000).map { _ in drift.next(samples: 5) }  // the walk's own step
    let mean = line.reduce(0, +) / Double(line.count)
    let variance = line.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(line.count)
    #expect(abs(mean) < 12 * 0.065)
    #expect(abs(variance.squareRoot() / 12 - 1) < 0.033)
    for (lag, expected) in [(40, exp(-1)), (80, exp(-2.0)), (20, exp(-0.5))] {
      let product = zip(line, line.dropFirst(lag)).map { ($0 - mean) * ($1 - mean) }.reduce(0, +)
      #expect(abs(product / Double(line.count) / variance - expected) < 0.06)
    }
    #expect(line.allSatisfy { abs($0) < 12 * 6 })
  }

  /// The same seed gives the same bits in any blocks; another seed gives another drift.
  @Test func theSeedDeterminesTheDrift() throws {
    var settings = PitchDrift.Settings()
    settings.driftCents = 10
    func line(_ seed: UInt64, _ block: Int) -> [Double] {
      var drift = PitchDrift(settings, seed: seed, sampleRateHz: 44_100)
      return (1...(44_100 / block)).map { _ in drift.next(samples: block) }
    }
    let fine = line(5, 1)
    #expect(line(5, 100) == stride(from: 99, to: 44_100, by: 100).map { fine[$0] })
    #expect(line(5, 441).last == fine.last)
    #expect(line(6, 100) != line(5, 100))
    var again = PitchDrift(settings, seed: 5, sampleRateHz: 44_100)
    _ = again.next(samples: 12_345)
    again.reset()
    #expect((0..<44_100).map { _ in again.next(samples: 1) } == fine)
  }

  /// Delays are uniform from 0 to 1440 samples: mean 720, deviation 1440/√12, within four standard
  /// errors.
  @Test func onsetDelaysAreUniform() throws {
    var settings = OnsetJitter.Settings()
    settings.jitterMs = 30
    var jitter = OnsetJitter(settings, seed: 4, sampleRateHz: 48_000)
    let delays = (0..<10_000).map { _ in Double(jitter.nextDelaySamples()) }
    let mean = delays.reduce(0, +) / 10_000
    let deviation = 1440 / 12.0.squareRoot()
    #expect(abs(mean - 720) < 4 * deviation / 100)
    #expect(delays.min()! >= 0 && delays.max()! <= 1440 && delays.max()! > 1430)
    jitter.reset()
    #expect((0..<10_000).map { _ in Double(jitter.nextDelaySamples()) } == delays)
  }

  static func target(_ note: Double, _ onsets: Int) -> Conductor.Target {
    Conductor.Target(hz: 440 * exp2((note - 69) / 12), key: Int(note), onsets: onsets)
  }

  @Test func aPlainVoiceSingsItsTarget() throws {
    var voice = VoiceExpression(.init(), seed: 1, sampleRateHz: 48_000)
    for (place, note) in [60.0, 60.3, 64.9, 48].enumerated() {
      let target = Self.target(note, 1 + place / 2)
      let hz = voice.next(target, samples: 128)
      #expect(abs(try #require(hz) / target.hz! - 1) < 1e-12)
    }
    #expect(voice.next(Conductor.Target(hz: nil, key: nil, onsets: 2), samples: 128) == nil)
  }

  /// The glide is between keys; the 30 cents by which the lead is sharp are passed at once.
  @Test func aVoiceGlidesWhileTheLeadsVibratoPasses() throws {
    var settings = VoiceExpression.Settings()
    settings.glide.glideMs = 100
    var voice = VoiceExpression(settings, seed: 1, sampleRateHz: 48_000)
    _ = voice.next(Self.target(60, 1), samples: 480)
    let hz = voice.next(Self.target(64.3, 1), samples: 2400)
    #expect(abs(69 + 12 * log2(try #require(hz) / 440) - 62.3) < 1e-9)
  }

  /// A note starts up to 20 ms late, and until then the previous one sounds.
  @Test func onsetsAreDelayedAndScooped() throws {
    var settings = VoiceExpression.Settings()
    settings.jitter.jitterMs = 20
    settings.scoop.depthCents = 100
    var voice = VoiceExpression(settings, seed: 9, sampleRateHz: 48_000)
    var delays: [Int] = []
    for onset in 1...50 {
      let key = 60 + onset % 2
      var delay = 0
      while true {
        let hz = voice.next(Self.target(Double(key), onset), samples: 1)
        if let hz, abs(69 + 12 * log2(hz / 440) - Double(key) + 1) < 0.01 { break }
        delay += 1
        guard delay < 2000 else { break }
      }
      delays.append(delay)
      for _ in 0..<5000 { _ = voice.next(Self.target(Double(key), onset), samples: 1) }
    }
    #expect(delays.max()! <= 961 && delays.max()! > 800 && delays.min()! < 160)
  }

  @Test func expressionAllocatesNothing() throws {
    var settings = VoiceExpression.Settings()
    (settings.glide.glideMs, settings.drift.driftCents) = (20, 5)
    (settings.vibrato.extentCents, settings.jitter.jitterMs) = (20, 10)
    let fresh = { VoiceExpression(settings, seed: 2, sampleRateHz: 48_000) }
    var envelope = Envelope(.init(), sampleRateHz: 48_000)
    let calls = allocatorCalls(on: fresh) { voice in
      for onset in 0..<100 {
        _ = voice.next(Self.target(62, onset), samples: 64)
        envelope.press()
        _ = envelope.next()
      }
    }
    #expect(calls == 0)
  }

  @Test func settingsOutOfRangeAreNamed() throws {
    var settings = VoiceExpression.Settings()
    settings.drift.driftCents = -1
    #expect(throws: SettingsError.self) { try settings.validate() }
    let data = try JSONEncoder().encode(VoiceExpression.Settings())
    #expect(
      try JSONDecoder().decode(VoiceExpression.Settings.self, from: data)
        == VoiceExpression.Settings())
  }
}
