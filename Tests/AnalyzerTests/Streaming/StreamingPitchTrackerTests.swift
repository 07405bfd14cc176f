import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct StreamingPitchTrackerTests {
  private typealias Settings = StreamingPitchTracker.Settings

  private func estimates(
    _ signal: Signal, _ settings: StreamingPitchTracker.Settings = .init(), blockSize: Int = 256
  ) throws -> [PitchEstimate] {
    var tracker = try StreamingPitchTracker(settings, sampleRateHz: signal.sampleRateHz)
    return estimates(by: &tracker, of: signal, blockSize: blockSize)
  }

  private func estimates(
    by tracker: inout StreamingPitchTracker, of signal: Signal, blockSize: Int = 256
  ) -> [PitchEstimate] {
    var found: [PitchEstimate] = []
    tracker.forEachEstimate(of: signal, blockSize: blockSize) { found.append($0) }
    return found
  }

  /// Absolute errors in cents, away from the ends; 9999 if unvoiced.
  private func errors(_ found: [PitchEstimate], _ voice: TestVoice) -> [Double] {
    found.compactMap { estimate in
      let time = Double(estimate.timeSamples) / voice.sampleRateHz
      guard time > 0.06, time < voice.seconds - 0.06 else { return nil }
      return estimate.f0Hz > 0 ? abs(cents(estimate.f0Hz, over: voice.f0Hz(time))) : 9999
    }.sorted()
  }

  @Test(arguments: [62.0, 82.4, 110, 196, 329.6, 523.3, 880, 1150])
  func steadyVoicesAreMeasuredToTheCent(hz: Double) throws {
    let voice = TestVoice { _ in hz }
    let found = errors(try estimates(voice.signal()), voice)
    // A lag of 21 samples, at 1150 Hz, is resolved by a parabola to a hundredth of a sample.
    #expect(found[found.count / 2] < 0.8)
    #expect(found.last! < 3)
  }

  /// A tone above the ceiling has another pitch or none, at every rate.
  @Test(arguments: [44_100.0, 48_000], [1250.0, 1350, 1430]) func noPitchIsAboveTheCeiling(
    rateHz: Double, hz: Double
  ) throws {
    var settings = Settings()
    settings.ceilingHz = 1200
    let tone = Signal.sine(hz, amplitude: 0.3, seconds: 0.5, sampleRateHz: rateHz)
    let found = try estimates(tone, settings)
    #expect(found.allSatisfy { $0.f0Hz < 1.005 * 1200 })
  }

  /// A high voice may have one strong partial below 2 kHz and three between 2.5 and 5 kHz. Its period
  /// lies between two lags of the search, twice or three times its period beside one.
  @Test(arguments: [640.0, 698.46, 830])
  func aHighVoiceWithHighFormantsKeepsItsOctave(hz: Double) throws {
    let partials = [(1.0, 0.1), (4, 0.17), (5, 0.136), (6, 0.119)]
    let samples = (0..<24_000).map { n in
      Float(partials.map { $1 * cos(2 * .pi * $0 * hz * Double(n) / 48_000) }.reduce(0, +))
    }
    let found = try estimates(Signal(samples, sampleRateHz: 48_000)).filter {
      (2_000..<22_000).contains($0.timeSamples)
    }
    #expect(found.count > 80)
    #expect(found.allSatisfy { $0.f0Hz > 0 && abs(cents($0.f0Hz, over: hz)) < 5 })
  }

  /// The measurement with 15 ms is centred on the instant for voices above about 150 Hz. Over at
  /// most five periods, at least 24 ms, the curvature of a vibrato of 60 cents at 5.5 Hz costs as
  /// much as in `PitchTracker`.
  @Test(arguments: [180.0, 220, 440])
  func vibratoIsFollowed(hz: Double) throws {
    let voice = TestVoice { hz * exp2(0.05 * sin(2 * .pi * 5.5 * $0)) }
    var settings = Settings()
    settings.lookAheadMs = 15
    let found = errors(try estimates(voice.signal(), settings), voice)
    let stretch = max(4 / hz, 0.024)
    let curvature = 60 * pow(2 * .pi * 5.5, 2) / 2 * 0.06 * stretch * stretch
    #expect(found[found.count / 2] < curvature + 0.8)
    #expect(found[found.count * 95 / 100] < 2 * curvature + 2)
  }

  /// Share of the estimates with a pitch from 150 to 350 ms after each note but the first two, by which the room
  /// is learned.
  private func voicedShareOfPauses(_ sound: Signal, leavesOutTails: Bool = true) throws -> Double {
    var settings = Settings()
    settings.lookAheadMs = 15
    settings.leavesOutTails = leavesOutTails
    let found = try estimates(sound, settings).filter {
      let time = Double($0.timeSamples) / sound.sampleRateHz
      return time > 1.8 && (0.65..<0.85).contains(time.truncatingRemainder(dividingBy: 0.9))
    }
    return Double(found.count { $0.f0Hz > 0 }) / Double(found.count)
  }

  /// A tracker that does not know the room takes 54 and 96 % of these tails for voice; one that does, 41 and
  /// 56 %.
  @Test(arguments: [(1.2, 0.48), (1.8, 0.7)])
  func fewerTailsAreVoice(seconds: Double, maxShare: Double) throws {
    let notes = RoomDecayTests.notes()
    let sound = Dose.room(notes, seconds: seconds, wetDb: 3, lateMs: 5)
    #expect(try voicedShareOfPauses(sound) < maxShare)
    #expect(try voicedShareOfPauses(sound, leavesOutTails: false) > maxShare)
    #expect(try voicedShareOfPauses(notes) == 0)
  }

  /// Three frames at 400 Hz, a stray one at 60 Hz, three at 400 Hz again.
  @Test func aStrayPitchHasOnlyItsOwnOdds() throws {
    var beam = PitchBeam(depth: 16, octaveJumpCost: 3)
    for (frame, hz) in [400.0, 400, 400, 60, 400, 400, 400].enumerated() {
      var state = PitchBeam.State.none
      (state.f0Hz, state.log2F0, state.timeSamples) = (hz, log2(hz), Double(100 * frame))
      state.odds = hz == 60 ? 1 : 10
      beam.open()
      beam.add(state)
      beam.close()
    }
    for (time, hz, odds) in [(310.0, 60.0, 1.0), (210, 400, 30), (590, 400, 30)] {
      let answer = beam.answer(at: time, past: 1000)
      #expect(answer?.state.f0Hz == hz)
      #expect(answer?.odds == odds)
    }
  }

  @Test(arguments: [0.0, 5, 15, 30])
  func everyEstimateIsAsOldAsStated(lookAheadMs: Double) throws {
    let voice = TestVoice { _ in 220 }
    var settings = Settings()
    settings.lookAheadMs = lookAheadMs
    var tracker = try StreamingPitchTracker(settings, sampleRateHz: 48_000)
    let samples = voice.signal().samples
    var taken = 0
    for sample in samples.prefix(12_000) {
      tracker.process([sample].span)
      taken += 1
      while let estimate = tracker.next() {
        #expect(estimate.timeSamples + estimate.ageSamples == taken)
        #expect(estimate.ageSamples == Int(lookAheadMs * 48))
      }
    }
  }

  /// Estimates don't depend on sound that has not arrived.
  @Test func laterSoundChangesNothing() throws {
    let sung = TestVoice { _ in 220 }.signal().samples
    let other = TestVoice { _ in 330 }.signal().samples
    let cut = 24_000
    let one = try estimates(Signal(sung, sampleRateHz: 48_000))
    let mixed = Signal(Array(sung[..<cut]) + Array(other[cut...]), sampleRateHz: 48_000)
    let two = try estimates(mixed)
    let known = one.count { $0.timeSamples + $0.ageSamples <= cut }
    #expect(one.prefix(known) == two.prefix(known))
    #expect(one != two)
  }

  @Test(arguments: [1, 7, 64, 1000, 48_000])
  func blocksDontChangeTheEstimates(blockSize: Int) throws {
    var voice = TestVoice { 150 * exp2($0) }
    voice.noiseDb = -15
    let signal = voice.signal()
    #expect(try estimates(signal, blockSize: blockSize) == estimates(signal))
  }

  @Test func resetEqualsFresh() throws {
    let signal = TestVoice { 150 * exp2($0) }.signal()
    var tracker = try StreamingPitchTracker(sampleRateHz: 48_000)
    let fresh = estimates(by: &tracker, of: signal)
    tracker.reset()
    #expect(estimates(by: &tracker, of: signal) == fresh)
  }

  @Test func processNeitherAllocatesNorLocks() throws {
    let samples = TestVoice { 150 * exp2($0) }.signal().samples
    var sum = 0.0
    let fresh = { try StreamingPitchTracker(sampleRateHz: 48_000) }
    let calls = try allocatorCalls(on: fresh) { tracker in
      for start in stride(from: 0, to: samples.count, by: 128) {
        tracker.process(samples.span.extracting(start..<min(start + 128, samples.count)))
        while let estimate = tracker.next() { sum += estimate.f0Hz }
      }
    }
    #expect(calls == 0)
    #expect(sum > 0)
  }

  @Test(arguments: [8_000.0, 11_025, 16_000, 22_050, 44_100, 96_000, 192_000])
  func anySampleRateWorks(rateHz: Double) throws {
    var voice = TestVoice { _ in 233.3 }
    voice.sampleRateHz = rateHz
    voice.seconds = 0.4
    let found = errors(try estimates(voice.signal()), voice)
    // At 8 kHz a parabola resolves a lag of 34 samples to about a twentieth of one.
    #expect(found[found.count / 2] < (rateHz < 16_000 ? 2.5 : 0.8))
  }

  @Test func silenceAndNoiseHaveNoPitch() throws {
    let silence = Signal([Float](repeating: 0, count: 24_000), sampleRateHz: 48_000)
    #expect(try estimates(silence).allSatisfy { $0.f0Hz == 0 })
    let steady = Signal([Float](repeating: 0.5, count: 24_000), sampleRateHz: 48_000)
    #expect(try estimates(steady).suffix(100).allSatisfy { $0.f0Hz == 0 })
    let found = try estimates(Signal.noise(count: 96_000, seed: 1))
    // A stretch of 25 ms below 3 kHz has about 150 degrees of freedom: its maximum chance
    // correlation over 120 lags is about 0.25 and rarely lasts.
    #expect(found.count { $0.f0Hz > 0 } < found.count / 10)
  }

  /// A bad sample has no effect once it has left the windows and the level.
  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func badSamplesHaveNoLastingEffect(bad: Float) throws {
    let voice = TestVoice { _ in 220 }
    var samples = voice.signal().samples
    for i in 20_000..<20_010 { samples[i] = bad }
    let found = try estimates(Signal(samples, sampleRateHz: 48_000))
    #expect(found.allSatisfy { $0.f0Hz.isFinite && $0.voicing.isFinite })
    let after = found.filter { (24_800..<46_000).contains($0.timeSamples) }
    #expect(!after.isEmpty && after.allSatisfy { abs(cents(max($0.f0Hz, 1), over: 220)) < 5 })
  }

  @Test(arguments: [0, 1, 5, 300])
  func tinySoundsHaveAResult(count: Int) throws {
    let scrap = Signal([Float](repeating: 0.5, count: count), sampleRateHz: 48_000)
    let track = try StreamingPitchTracker.track(of: scrap)
    #expect(track.count == count / 240 + 1 && track.voicedShare == 0)
  }

  @Test func anEstimateCountsAtTheInstantThatItDescribes() throws {
    let voice = TestVoice { $0 < 0.5 ? 220 : 247 }
    var settings = Settings()
    settings.lookAheadMs = 20
    let spoken = try StreamingPitchTracker.track(of: voice.signal(), settings)
    func step(_ track: PitchTrack) -> Double {
      Double(track.f0Hz.indices.first { $0 > 50 && track.f0Hz[$0] > 233 }!) * track.hopSeconds
    }
    // The step is blurred over the four periods of the measurement; both frames are held for up to
    // a hop.
    #expect(abs(step(spoken) - 0.5) < 0.012)
  }

  @Test func settingsOutOfRangeThrow() {
    var settings = Settings()
    settings.lookAheadMs = -1
    #expect(throws: SettingsError.self) {
      _ = try StreamingPitchTracker(settings, sampleRateHz: 48_000)
    }
    #expect(throws: SettingsError.self) { _ = try StreamingPitchTracker(sampleRateHz: 4_000) }
  }
}
