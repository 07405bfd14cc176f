import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct PitchTrackerTests {
  private func errors(_ track: PitchTrack, _ voice: TestVoice) -> [Double] {
    (0..<track.count).compactMap { i in
      let time = Double(i) * track.hopSeconds
      guard time > 0.05, time < voice.seconds - 0.05 else { return nil }
      return track.f0Hz[i] > 0 ? abs(cents(track.f0Hz[i], over: voice.f0Hz(time))) : 9999
    }.sorted()
  }

  @Test(arguments: [62.0, 82.4, 110, 196, 329.6, 523.3, 880, 1150])
  func steadyVoicesAreMeasuredToTheCent(hz: Double) throws {
    let voice = TestVoice { _ in hz }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    // A parabola resolves a lag of 28 samples, at 1150 Hz, to two thousandths of a sample.
    #expect(found[found.count / 2] < 0.15)
    #expect(found.last! < 1)
  }

  /// A whistle and a bass below the common range have no other octave in which they fit.
  @Test(arguments: [50.0, 55, 1320, 1760, 2400, 3500])
  func rarePitchesKeepTheirOctave(hz: Double) throws {
    let voice = TestVoice { _ in hz }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    // At 3500 Hz a parabola resolves a lag of 9 samples, of one harmonic, to a hundredth of a sample.
    #expect(found[found.count / 2] < 2)
    #expect(found[found.count * 95 / 100] < 10)
  }

  /// Pulses through narrow formants, without pauses: the harmonics of so low a voice fill the short window,
  /// and must not pass for noise. Praat reads each within 0.2 %.
  @Test(arguments: [(55.0, 0.0), (62, 0), (66, 0), (72.5, 0.005)])
  func aLowVoiceWithoutPausesIsNoNoise(hz: Double, jitter: Double) throws {
    let track = try PitchTracker().track(Self.vowel(hz: hz, jitter: jitter))
    let voiced = track.f0Hz.filter { $0 > 0 }.sorted()
    #expect(track.voicedShare > 0.9)
    #expect(abs(voiced[voiced.count / 2] / hz - 1) < 0.005)
    #expect(abs(voiced[voiced.count * 95 / 100] / hz - 1) < 0.03)
  }

  /// Noise four times as strong as the voice between 300 Hz and 4 kHz hides how it repeats from period to period:
  /// correlations alone find 41 and 59 % of the frames. Its harmonics stand out of 110 ms.
  @Test(arguments: [440.0, 620]) func breathHidesNoPitch(hz: Double) throws {
    let rate = 48_000.0
    var random = SeededGenerator(seed: 5)
    let voiceRms = sqrt((1...12).reduce(0) { $0 + 0.5 / Double($1 * $1) })
    let noiseRms = 2 * voiceRms * sqrt(24_000 / 3_700)
    let samples = (0..<72_000).map { n in
      let phase = 2 * .pi * hz * Double(n) / rate
      let voice = (1...12).reduce(0) { $0 + cos(Double($1) * (phase + 1)) / Double($1) }
      return Float(0.03 * (voice + noiseRms * 12.0.squareRoot() * (random.uniform() - 0.5)))
    }
    let track = try PitchTracker().track(Signal(samples, sampleRateHz: rate))
    let inside = track.f0Hz.dropFirst(20).dropLast(20)
    let right = inside.count { $0 > 0 && abs(cents($0, over: hz)) < 50 }
    #expect(Double(right) > 0.8 * Double(inside.count))
  }

  @Test func theLevelChangesNothing() throws {
    let voice = TestVoice { _ in 220 }.signal().samples
    var random = SeededGenerator(seed: 3)
    // A voice that fades into noise of -110 dB, then silence.
    let samples =
      voice.indices.map { n -> Float in
        let fade = Float(pow(10, -6 * Double(n) / Double(voice.count)))
        return fade * voice[n] + 6e-6 * Float(random.uniform() - 0.5)
      } + [Float](repeating: 0, count: 24_000)
    let whole = try PitchTracker().track(Signal(samples, sampleRateHz: 48_000))
    for gain: Float in [0.5, 1 / 256] {
      let soft = try PitchTracker().track(Signal(samples.map { gain * $0 }, sampleRateHz: 48_000))
      #expect(zip(soft.voicing, whole.voicing).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(zip(soft.likelyHz, whole.likelyHz).allSatisfy { abs($0 - $1) < 1e-3 })
    }
  }

  /// Some periods are chosen and cannot be measured, in noise and at the ends of a sound.
  @Test func everyPitchHasADeviation() throws {
    let voice = TestVoice(seconds: 2) { 300 * exp2(0.1 * sin(2 * .pi * 7 * $0)) }.signal().samples
    var random = SeededGenerator(seed: 5)
    let level = Float(voice.reduce(0) { $0 + Double($1 * $1) } / Double(voice.count)).squareRoot()
    let noisy = voice.map { $0 + 4 * level * Float(random.uniform() - 0.5) }
    let track = try PitchTracker().track(Signal(noisy, sampleRateHz: 48_000))
    #expect(track.f0Hz.count { $0 > 0 } > 100)
    #expect(
      track.f0Hz.indices.allSatisfy { track.f0Hz[$0] == 0 || track.uncertaintyCents[$0] != nil })
  }

  @Test func aStrayPitchIsDoubted() {
    func frame(_ hz: Double, odds: Double) -> ChosenFrame {
      var frame = PitchFrame()
      frame.candidates = [hz, 2.5 * hz].map {
        PitchFrame.Candidate(f0Hz: $0, correlation: 1, nearCorrelation: 1, persistence: 1)
      }
      frame.candidates[0].strength = odds
      return ChosenFrame(frame, choice: 0)
    }
    let frames = [400.0, 400, 400, 60, 400, 400].map { frame($0, odds: $0 == 60 ? 2 : 12) }
    let doubts = PitchTracker.doubts(frames, hopSeconds: 0.010)
    #expect(doubts[3] > 0.3)
    #expect(doubts[4] < 0.001)
  }

  /// Pulses less often than any voice have no pitch, rather than that of their formant.
  @Test func slowPulsesHaveNoPitchOfTheirFormant() throws {
    let track = try PitchTracker().track(Self.vowel(hz: 20, jitter: 0))
    #expect(track.voicedShare < 0.2)
  }

  /// A second of glottal pulses through the formants of /a/, at 44.1 kHz.
  private static func vowel(hz: Double, jitter: Double) -> Signal {
    let rate = 44_100.0
    var random = SeededGenerator(seed: 3)
    var samples = [Double](repeating: 0, count: Int(rate))
    var time = 0.0
    while time < 0.98 {
      let place = time * rate
      let share = place - place.rounded(.down)
      samples[Int(place)] += 1 - share
      samples[Int(place) + 1] += share
      time += (1 + jitter * 3.46 * (random.uniform() - 0.5)) / hz
    }
    for n in samples.indices.dropFirst() { samples[n] += 0.95 * samples[n - 1] }
    for (formantHz, widthHz) in [(700.0, 80.0), (1220, 90), (2600, 120), (3300, 200)] {
      let radius = exp(-.pi * widthHz / rate)
      let a1 = 2 * radius * cos(2 * .pi * formantHz / rate)
      for n in samples.indices.dropFirst(2) {
        samples[n] += a1 * samples[n - 1] - radius * radius * samples[n - 2]
      }
      let most = samples.map(abs).max()!
      for n in samples.indices { samples[n] *= 0.4 / most }
    }
    return Signal(samples.map { Float($0) }, sampleRateHz: rate)
  }

  /// Vibrato of ±60 cents at 5.5 Hz. The error is of fourth order over the curve's reach of 30 ms:
  /// 60 * (2π 5.5)⁴ / 24 * 0.03⁴ = 2.9 cents at its ends, of which a cubic over seven points keeps
  /// about a tenth in the middle. It doubles below 100 Hz, where stretches are longer.
  @Test(arguments: [98.0, 220, 440])
  func vibratoIsMeasuredBelowACent(hz: Double) throws {
    let voice = TestVoice { hz * exp2(0.05 * sin(2 * .pi * 5.5 * $0)) }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count / 2] < 0.4)
    #expect(found[found.count * 95 / 100] < 1.2)
  }

  @Test func aGlideOfAnOctaveIsFollowed() throws {
    let voice = TestVoice { 150 * exp2($0) }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count / 2] < 0.3)
    #expect(found.last! < 5)
  }

  /// The formants stay, so every frame of the higher note also repeats at the lower one's period. The
  /// window of 50 ms leaves 70 ms of the shortest leap that belong to one note alone.
  @Test(arguments: [0.12, 0.3], [110.0, 220])
  func aShortLeapOfAnOctaveIsFollowed(seconds: Double, hz: Double) throws {
    let leap = 0.5..<0.5 + seconds
    let voice = TestVoice { leap.contains($0) ? 2 * hz : hz }
    let track = try PitchTracker().track(voice.signal())
    for (frame, found) in track.f0Hz.enumerated() {
      let time = Double(frame) * track.hopSeconds
      guard time > 0.05, time < 0.95, abs(time - leap.lowerBound) > 0.03,
        abs(time - leap.upperBound) > 0.03
      else { continue }
      #expect(abs(cents(found, over: voice.f0Hz(time))) < 5, "at \(time) s")
    }
  }

  @Test(arguments: [8_000.0, 16_000, 44_100, 96_000])
  func anySampleRateWorks(rateHz: Double) throws {
    var voice = TestVoice { _ in 233.3 }
    voice.sampleRateHz = rateHz
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count / 2] < 0.2)
  }

  @Test func noiseTwentyDecibelsDownChangesLittle() throws {
    var voice = TestVoice { _ in 160 }
    voice.noiseDb = -20
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count * 95 / 100] < 15)
  }

  @Test func silenceAndNoiseHaveNoPitch() throws {
    let silence = Signal([Float](repeating: 0, count: 24_000), sampleRateHz: 48_000)
    #expect(try PitchTracker().track(silence).voicedShare == 0)
    let hiss = Signal.noise(seed: 1)
    #expect(try PitchTracker().track(hiss).voicedShare < 0.05)
  }

  @Test func aVoiceBetweenSilencesIsFoundWhereItIs() throws {
    let sung = TestVoice { _ in 220 }.signal().samples
    let rest = [Float](repeating: 0, count: 24_000)
    let track = try PitchTracker().track(Signal(rest + sung + rest, sampleRateHz: 48_000))
    let voiced: [Int] = track.f0Hz.indices.filter { track.f0Hz[$0] > 0 }
    let (first, last) = (Double(voiced.first!) * 0.005, Double(voiced.last!) * 0.005)
    // Half a window of 50 ms on either side of an edge may be voiced or not.
    #expect(abs(first - 0.5) < 0.026)
    #expect(abs(last - 1.5) < 0.026)
  }

  /// The deviation is that of people's voices: it covers the errors of this exact one more often than the 68 %
  /// that it states, at every noise level, and stays a few cents.
  @Test(arguments: [(-30.0, 3.0), (-20, 4), (-10, 8)])
  func uncertaintyCoversTheError(noiseDb: Double, maxCents: Double) throws {
    var voice = TestVoice { 180 * exp2(0.03 * sin(2 * .pi * 5 * $0)) }
    voice.seconds = 4
    voice.noiseDb = noiseDb
    let track = try PitchTracker().track(voice.signal())
    var (covered, stated) = (0.0, [Double]())
    for i in 20..<track.count - 20 where track.f0Hz[i] > 0 {
      let sigma = try #require(track.uncertaintyCents[i])
      let error = cents(track.f0Hz[i], over: voice.f0Hz(Double(i) * track.hopSeconds))
      covered += abs(error) <= sigma ? 1 : 0
      stated.append(sigma)
    }
    #expect(stated.count > 700)
    #expect(covered / Double(stated.count) > 0.68, "at \(noiseDb) dB")
    let middle = stated.sorted()[stated.count / 2]
    #expect(middle < maxCents, "\(middle) cents at \(noiseDb) dB")
  }

  @Test func voicingIsAProbability() throws {
    let sung = TestVoice { _ in 220 }.signal().samples
    let hiss = Signal.noise(width: 0.1, seed: 4).samples
    let track = try PitchTracker().track(Signal(sung + hiss, sampleRateHz: 48_000))
    #expect(track.voicing.allSatisfy { (0...1).contains($0) })
    // A frame's window reaches 25 ms, and the voicing chain about 30 ms more.
    #expect(track.voicing[12...188].allSatisfy { $0 > 0.9 })
    #expect(track.voicing[212...390].filter { $0 > 0.4 }.count < 9)
    for i in 0..<track.count where track.f0Hz[i] > 0 { #expect(track.likelyHz[i] == track.f0Hz[i]) }
  }

  /// The strong sidebands of a delay line that sweeps at 50 Hz are not the pitch.
  @Test func tremoloIsNotThePitch() throws {
    var carrier = TestVoice { _ in 370 }.signal()
    for n in carrier.samples.indices {
      let sweep: Double = 2 * .pi * 49.8 * Double(n) / 48_000
      carrier.samples[n] *= Float(1 + 0.6 * sin(sweep))
    }
    let track = try PitchTracker().track(carrier)
    let found = (20..<180).map { abs(cents(track.likelyHz[$0], over: 370)) }.sorted()
    #expect(found[found.count * 95 / 100] < 20)
  }

  @Test(arguments: [8_000.0, 48_000, 192_000])
  func unusualSoundsHaveAResult(rateHz: Double) throws {
    let count = Int(rateHz / 2)
    var random = SeededGenerator(seed: 9)
    let constant = [Float](repeating: 0.7, count: count)
    let square = squareWave(periodSamples: 200, count: count)
    var (clicks, broken, huge) = (constant, constant, constant)
    for n in 0..<count {
      clicks[n] = n % 1000 == 0 ? 1 : 0
      if n % 50 == 0 { broken[n] = n % 100 == 0 ? .nan : .infinity }
      huge[n] = 3e38 * Float(random.uniform() - 0.5)
    }
    let sounds = [constant, clicks, square, broken, huge]
    for sound in sounds {
      let track = try PitchTracker().track(Signal(sound, sampleRateHz: rateHz))
      #expect(track.count == 101)
      #expect(track.f0Hz.allSatisfy { $0 == 0 || (28...4050).contains($0) })
      #expect(track.voicing.allSatisfy { (0...1).contains($0) })
      #expect(track.uncertaintyCents.compactMap { $0 }.allSatisfy { $0.isFinite })
    }
    let dc = try PitchTracker().track(Signal(sounds[0], sampleRateHz: rateHz))
    #expect(dc.voicedShare < 0.1)  // the edges may ring
  }

  @Test(arguments: [1.0, 20, 50])
  func anyHopWorks(hopMs: Double) throws {
    var settings = PitchTracker.Settings()
    settings.hopMs = hopMs
    let voice = TestVoice { _ in 233.3 }
    let track = try PitchTracker(settings).track(voice.signal())
    #expect(track.count == Int((1000 / hopMs).rounded()) + 1)
    #expect(errors(track, voice).last! < 1)
  }

  @Test(arguments: [0, 1, 5, 300])
  func tinySoundsHaveAResult(count: Int) throws {
    let scrap = Signal([Float](repeating: 0.5, count: count), sampleRateHz: 48_000)
    let track = try PitchTracker().track(scrap)
    #expect(track.count == count / 240 + 1 && track.voicedShare == 0)
    let broken = Signal([Float](repeating: .nan, count: count), sampleRateHz: 48_000)
    #expect(try PitchTracker().track(broken).voicedShare == 0)
  }

  @Test func settingsOutOfRangeThrow() {
    var settings = PitchTracker.Settings()
    settings.hopMs = 0
    #expect(throws: SettingsError.self) { _ = try PitchTracker(settings) }
  }
}
