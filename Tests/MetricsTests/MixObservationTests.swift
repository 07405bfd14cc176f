import DSP
import EvaluationSupport
import Singer
import Testing

@testable import Metrics
@testable import Subjects

/// Perfect voices with known defects are judged from their mix as they are from their stems.
@Suite struct MixObservationTests {
  private static let vowels = try! Songbook.performance(id: "vowels-tenor")
  private static let choir = try! ChoirOfSingers(
    vowels, Score(id: "chord", intervalsSemitones: [-5, 4]))
  private static let perfect = choir.observationOfMix(choir.stems)

  private static func choir(_ intervals: [Double]) throws -> ChoirOfSingers {
    try ChoirOfSingers(vowels, Score(id: "other", intervalsSemitones: intervals))
  }

  /// Bounds are those of the joint fit on the synthetic singer, a cent in the median.
  @Test func perfectVoicesHaveNoDefects() {
    for voice in 0...1 {
      for (id, ideal, bound) in [
        ("pitch.bias", 0.0, 0.5), ("pitch.abs_error", 0, 1), ("pitch.octave_errors", 0, 0),
        ("voice.missing", 0, 0.01), ("mix.judged", 1, 0.05),
      ] {
        let value = Self.perfect.value(id, voice: voice)
        #expect(value.map { abs($0 - ideal) <= bound } == true, "\(id): \(value ?? .nan)")
      }
    }
    #expect(Self.perfect.value("chord.recall", voice: nil)! > 0.98)
  }

  /// The mix of the ideals is the ideal of the mix.
  @Test(arguments: [("timbre.mcd", 0.0), ("clicks.count", 0)])
  func theWholeMixIsJudgedOnce(id: String, ideal: Double) throws {
    #expect(abs(try #require(Self.perfect.value(id, voice: nil)) - ideal) < 0.1)
  }

  @Test(arguments: ["envelope.lsd", "voice.swapped", "tremolo.depth", "step.delay"])
  func figuresOfOneVoiceNeedStems(id: String) throws {
    let found = try #require(Metric.metric(id: id)).measure(Self.perfect)
    #expect(found == [.undefined(.noStems)])
  }

  /// Another mouth moves the formants of one voice only. A shift is found within the 1 % that counts in a
  /// gate.
  @Test(arguments: [0.95, 1.02, 1.1]) func formantsOfEachVoiceAreHeardInTheMix(scale: Double) throws
  {
    var other = Self.vowels
    other.voice.tractLengthCm /= scale
    let mouth = try ChoirOfSingers(other, Score(id: "chord", intervalsSemitones: [-5, 4]))
    let observation = Self.choir.observationOfMix([mouth.stems[0], Self.choir.stems[1]])
    for (voice, expected) in [(0, scale), (1, 1)] {
      let ideal = try #require(Self.perfect.value("formant.ratio", voice: voice))
      let found = try #require(observation.value("formant.ratio", voice: voice))
      #expect(abs(ideal - 1) < 0.01, "voice \(voice)")
      #expect(abs(found / ideal / expected - 1) < 0.01, "voice \(voice)")
    }
  }

  /// A filter makes one voice brighter. The mix tells as much of it as the voice's stem does.
  @Test func tiltOfEachVoiceIsHeardInTheMix() throws {
    let plain = Self.choir.stems[0]
    let samples = plain.samples.indices.map {
      plain.samples[$0] - ($0 > 0 ? 0.9 * plain.samples[$0 - 1] : 0)
    }
    let bright = [Signal(samples, sampleRateHz: plain.sampleRateHz), Self.choir.stems[1]]
    func changes(_ mixed: Bool) throws -> [Double] {
      let pair = [Self.choir.stems, bright].map {
        mixed ? Self.choir.observationOfMix($0) : Self.choir.observation($0)
      }
      return try (0...1).map { voice in
        let values = try pair.map { try #require($0.value("timbre.tilt_change", voice: voice)) }
        return values[1] - values[0]
      }
    }
    let (mixed, alone) = (try changes(true), try changes(false))
    #expect(alone[0] > 1)
    for voice in 0...1 {
      #expect(abs(mixed[voice] - alone[voice]) < 0.25, "voice \(voice): \(mixed) \(alone)")
    }
  }

  @Test(arguments: [3.0, -10]) func detuningIsMeasuredInCents(cents: Double) throws {
    let other = try Self.choir([-5 + cents / 100, 4])
    let observation = Self.choir.observationOfMix(other.stems)
    #expect(abs(try #require(observation.value("pitch.bias")) - cents) < 0.5)
    #expect(abs(try #require(observation.value("pitch.bias", voice: 1))) < 0.5)
  }

  @Test func aSilentVoiceIsMissing() throws {
    let silent = Signal(
      [Float](repeating: 0, count: Self.choir.recording.signal.count), sampleRateHz: 48_000)
    let observation = Self.choir.observationOfMix([Self.choir.stems[0], silent])
    #expect(try #require(observation.value("voice.missing", voice: 1)) > 0.5)
    #expect(try #require(observation.value("voice.missing")) < 0.01)
  }

  @Test func anOctaveErrorIsAShare() throws {
    let observation = Self.choir.observationOfMix(try Self.choir([-5, 16]).stems)
    #expect(try #require(observation.value("pitch.octave_errors", voice: 1)) > 0.9)
    #expect(observation.value("pitch.octave_errors") == 0)
  }

  /// The voice at half the amplitude is 6.02 dB softer; the other keeps its level.
  @Test func levelsAreThoseOfEachVoice() throws {
    let (low, high) = (Self.choir.stems[0], Self.choir.stems[1])
    let softer = Signal(high.samples.map { 0.5 * $0 }, sampleRateHz: high.sampleRateHz)
    let observation = Self.choir.observationOfMix([low, softer])
    func change(_ voice: Int) throws -> Double {
      try #require(observation.value("voice.level", voice: voice))
        - #require(Self.perfect.value("voice.level", voice: voice))
    }
    #expect(abs(try change(0)) < 0.3)
    #expect(abs(try change(1) + 6.02) < 0.3)
    let stems = Self.choir.observation(Self.choir.stems)
    for voice in 0...1 {
      let alone = try #require(stems.value("voice.level", voice: voice))
      let mixed = try #require(Self.perfect.value("voice.level", voice: voice))
      #expect(abs(alone - mixed) < 0.5, "voice \(voice)")
    }
  }

  @Test func theDryVoiceIsTakenOut() throws {
    let observation = Self.choir.observationOfMix(Self.choir.stems, withDryVoice: true)
    for voice in 0...1 {
      #expect(abs(try #require(observation.value("pitch.bias", voice: voice))) < 0.5)
      #expect(try #require(observation.value("voice.missing", voice: voice)) < 0.02)
    }
  }

  /// A mix of one voice is that voice.
  @Test func oneVoiceIsItsOwnStem() throws {
    let solo = try Self.choir([-5])
    let observation = solo.observationOfMix(solo.stems)
    #expect(
      observation.value("formant.ratio") == solo.observation(solo.stems).value("formant.ratio"))
  }

  /// All partials of a voice an octave above another lie on those of the other, which may sound there alone: the
  /// voice is not said to be missing, an octave off, or of any level, in tune or not.
  @Test(arguments: [("vowels-tenor", 0.0), ("vowels-tenor", 10), ("swell-tenor", 0)])
  func anOctaveAboveAnotherIsInseparable(song: String, flatCents: Double) throws {
    let sung = try Songbook.performance(id: song)
    func choir(_ intervals: [Double]) throws -> ChoirOfSingers {
      try ChoirOfSingers(sung, Score(id: "octave", intervalsSemitones: intervals))
    }
    let mix = try choir([-5, 7]).observationOfMix(choir([-5, 7 - flatCents / 100]).stems)
    for id in ["voice.missing", "pitch.octave_errors", "pitch.gross_errors", "voice.level"] {
      let found = try #require(Metric.metric(id: id)).measure(mix).first { $0.voice == 1 }
      #expect(found?.outcome.reason?.code == .inseparable, "\(id) of voice +7")
    }
    for id in ["voice.missing", "pitch.octave_errors"] {
      #expect(mix.value(id, voice: 0).map { $0 < 0.01 } == true)
    }
    #expect(mix.value("chord.recall", voice: nil)! > 0.98)
  }

  /// Unisons can't be told apart, and say so.
  @Test func unisonsAreInseparable() throws {
    let unison = try Self.choir([4, 4])
    let observation = unison.observationOfMix(unison.stems)
    let found = try #require(Metric.metric(id: "pitch.abs_error")).measure(observation)
    for case .undefined(let reason) in found.map(\.outcome) { #expect(reason.code == .inseparable) }
    #expect(found.count == 2 && observation.value("pitch.abs_error") == nil)
  }
}
