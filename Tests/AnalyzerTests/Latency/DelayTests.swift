import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct ImpulseDelayTests {
  private let impulses = Signal(
    (0..<48_000).map { $0 % 6_000 == 100 ? 0.8 : 0 }, sampleRateHz: 48_000)

  /// A known delay is measured to the sample.
  @Test(arguments: [0, 1, 48, 480, 5_000])
  func aPlainDelayIsMeasuredToTheSample(samples: Int) throws {
    let found = try ImpulseDelay(of: impulses.late(samples: samples), from: impulses)
    #expect(abs(found.meanMs - Double(samples) / 48) < 1e-9)
    #expect(
      found.estimate.p5Ms == found.estimate.p95Ms && found.estimate.events == 8
        && found.estimate.lost == 0)
  }

  /// Impulses 190 to 235 ms apart. Answers before them, and later than the next one, are told by the
  /// uneven gaps.
  @Test(arguments: [-20.0, -3, 0, 3, 60, 120, 180, 250, 390])
  func earlyAndVeryLateAnswersBelongToTheirImpulses(ms: Double) throws {
    var random = SeededGenerator(seed: 5)
    var (starts, place) = ([Int](), 4_800)
    while place < 9 * 48_000 {
      starts.append(place)
      place += Int(48 * (190 + 45 * random.uniform()))
    }
    var (input, output) = (
      [Float](repeating: 0, count: 480_000), [Float](repeating: 0, count: 480_000)
    )
    for start in starts {
      input[start] = 0.8
      // A pulse that is symmetrical about its delay, as of a filter without phase.
      for n in -200...200 { output[start + Int(ms * 48) + n] = 0.01 * Float(200 - abs(n)) / 200 }
    }
    let found = try ImpulseDelay(
      of: Signal(output, sampleRateHz: 48_000), from: Signal(input, sampleRateHz: 48_000))
    #expect(abs(found.meanMs - ms) < 0.01 && found.estimate.lost == 0, "\(found)")
    #expect(found.estimate.p95Ms - found.estimate.p5Ms < 0.01)
  }

  @Test func aDoubledImpulseCountsInTheMiddle() throws {
    var output = [Float](repeating: 0, count: 48_000)
    for start in stride(from: 100, to: 48_000, by: 6_000) {
      output[start + 96] = 0.3
      output[start + 288] = -0.1
    }
    let found = try ImpulseDelay(of: Signal(output, sampleRateHz: 48_000), from: impulses)
    #expect(abs(found.meanMs - (2 * 0.75 + 6 * 0.25)) < 1e-6)
  }

  /// Noise behind the impulses does not make them later. At -60 dBFS one sample in 16,000 exceeds the
  /// floor of four deviations; together they weigh less than a thousandth of an impulse.
  @Test(arguments: [-96.0, -60])
  func noiseIsNotLate(levelDb: Double) throws {
    var random = SeededGenerator(seed: 3)
    let deviation = pow(10, levelDb / 20)
    let noisy = impulses.late(samples: 480).samples.map { sample in
      // The sum of twelve uniform numbers is nearly normal, with a deviation of 1.
      sample + Float(deviation * (0..<12).reduce(-6) { sum, _ in sum + random.uniform() })
    }
    let found = try ImpulseDelay(of: Signal(noisy, sampleRateHz: 48_000), from: impulses)
    #expect(abs(found.meanMs - 10) < 0.05)
    #expect(found.estimate.events == 8 && found.estimate.lost == 0)
  }

  @Test func lostImpulsesAreCounted() throws {
    var output = impulses.samples
    for i in 6_000..<18_000 { output[i] = 0 }
    let found = try ImpulseDelay(of: Signal(output, sampleRateHz: 48_000), from: impulses)
    #expect(found.estimate.lost == 2 && found.estimate.events == 6)
    #expect(found.estimate.events == 6 && found.estimate.confidence == 0.75)
    #expect(found.estimate.medianMs == 0 && found.estimate.jitterMs == 0)
  }

  @Test func soundsWithoutImpulsesThrow() {
    let tone = Signal((0..<4_800).map { sin(Float($0) * 0.1) }, sampleRateHz: 48_000)
    let silence = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    #expect(cause { try ImpulseDelay(of: tone, from: tone) } == .noImpulses)
    #expect(cause { try ImpulseDelay(of: silence, from: impulses) } == .lostImpulses)
  }
}

@Suite struct OnsetDelayTests {
  /// Bursts of a tone, irregular in length and loudness.
  private func bursts(_ hz: Double, lateMs: Double = 0) -> Signal {
    Signal(
      (0..<96_000).map { n in
        let time = Double(n) / 48_000 - lateMs / 1000
        let beat = time * 3.1
        let on = time > 0 && beat.truncatingRemainder(dividingBy: 1) < 0.4
        let level = 0.2 + 0.1 * (beat.rounded(.down) * 7).truncatingRemainder(dividingBy: 5)
        return on ? Float(level * sin(2 * .pi * hz * time)) : 0
      }, sampleRateHz: 48_000)
  }

  /// Another pitch with a known delay. A tone lies in one band, and its periods don't fit evenly
  /// into the 6 ms of the loudness window; the ripple shifts the result by up to 0.8 ms.
  @Test(arguments: [0.0, 3, 17.3, 120], [330.0, 440])
  func aKnownDelayIsMeasured(lateMs: Double, hz: Double) throws {
    let found = try OnsetDelay(of: bursts(hz, lateMs: lateMs), from: bursts(220))
    #expect(abs(found.delayMs - lateMs) < 0.8)
  }

  /// Another pitch changes which harmonic is strongest but not the onsets. The singer's own oracle,
  /// simultaneous with its lead, has no delay, and a delayed one has that delay.
  @Test(
    arguments: ["vowels-tenor", "melody-frere-jacques", "onsets-hard-tenor", "spoken-baritone"],
    [-5.0, 7])
  func aTransposedSingerIsNotDelayed(song: String, semitones: Double) throws {
    let lead = try Dose.song(song).0
    let oracle = try Dose.song(song, semitones: semitones).0
    #expect(abs(try OnsetDelay(of: oracle, from: lead).delayMs) < 1)
    let late = Signal([Float](repeating: 0, count: 480) + oracle.samples, sampleRateHz: 48_000)
    #expect(abs(try OnsetDelay(of: late, from: lead).delayMs - 10) < 1)
  }

  /// A vowel of 0.35 s at another pitch, 5 ms late, beside noise 20 dB softer. A few correlated steps at
  /// a large lag are no better answer.
  @Test(arguments: 1...6) func aShortSoundIsNotAlignedByItsEnds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func vowel(_ hz: Double, lateSeconds: Double) -> [Float] {
      (0..<16_800).map { n in
        let time = Double(n) / 48_000 - lateSeconds
        guard time > 0, time < 0.33 else { return 0 }
        let level = 0.2 * min(1, time / 0.03) * min(1, (0.33 - time) / 0.05)
        return Float(level * (1...8).reduce(0.0) { $0 + sin(2 * .pi * hz * Double($1) * time) })
      }
    }
    let noisy = vowel(277, lateSeconds: 0.005).map {
      $0 + Float(0.04 * 3.0.squareRoot() * (2 * random.uniform() - 1))
    }
    let found = try? OnsetDelay(
      of: Signal(noisy, sampleRateHz: 48_000),
      from: Signal(vowel(220, lateSeconds: 0), sampleRateHz: 48_000))
    // The slopes of 30 and 50 ms resolve a few milliseconds.
    if let found { #expect(abs(found.delayMs - 5) < 5, "\(found)") }
  }

  /// Equal notes at equal distances fit as well one note later.
  @Test func aRegularRhythmTellsNoDelay() {
    func clock(_ hz: Double, lateSeconds: Double) -> Signal {
      Signal(
        (0..<240_000).map { n in
          let time = Double(n) / 48_000 - lateSeconds
          let place = (time / 0.4).truncatingRemainder(dividingBy: 1)
          return place > 0 && place < 0.5 ? Float(0.2 * sin(2 * .pi * hz * time)) : 0
        }, sampleRateHz: 48_000)
    }
    #expect(throws: Unmeasurable.self) {
      _ = try OnsetDelay(of: clock(330, lateSeconds: 0.45), from: clock(220, lateSeconds: 0))
    }
  }

  @Test func unrelatedOrSilentSoundsThrow() {
    let hiss = Signal.noise(count: 96_000, seed: 5)
    let silence = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: 48_000)
    #expect(throws: Unmeasurable.self) { _ = try OnsetDelay(of: hiss, from: bursts(220)) }
    #expect(cause { try OnsetDelay(of: silence, from: bursts(220)) } == .silent)
  }
}
