import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Music
import Singer
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects

/// Known defects of otherwise perfect voices are measured with their size.
@Suite struct MetricDoseTests {
  private static let vowels = try! Songbook.performance(id: "vowels-tenor")
  private static let score = Score(id: "chord", intervalsSemitones: [-5, 4])
  private static let choir = try! ChoirOfSingers(vowels, score)
  /// A single voice, for costly measures.
  private static let fourth = Score(id: "fourth", intervalsSemitones: [-5])
  private static let soloist = try! ChoirOfSingers(vowels, fourth)
  /// Observation of the choir without defects.
  private static let perfect = choir.observation(choir.stems)

  @Test func perfectVoicesHaveNoDefects() {
    for (id, ideal, bound) in [
      // The tracker errs by up to 0.2 cents and loses frames where vowels begin and end.
      ("pitch.abs_error", 0.0, 0.3), ("pitch.within_5", 1, 0.02), ("pitch.octave_errors", 0, 0),
      ("voice.missing", 0, 0.02), ("voice.ghost", 0, 0.02), ("voice.swapped", 0, 0),
      // The delay of a choir is measured by its loudness, within a few samples.
      ("formant.f1_shift", 0, 0.2), ("formant.ratio", 1, 0.001), ("envelope.lsd", 0, 0.2),
      ("timbre.mcd", 0, 0.1),
      // One frame more or less at an edge of a voice counts.
      ("timbre.tilt_change", 0, 0.05),
      ("modulation.added", 0, 0.1), ("pitch.residual", 0, 0.3),
      ("clicks.count", 0, 0), ("samples.non_finite", 0, 0), ("dropouts.count", 0, 0),
    ] {
      let value = Self.perfect.value(id)
      #expect(value.map { abs($0 - ideal) <= bound } == true, "\(id): \(value ?? .nan)")
    }
    #expect(Self.perfect.value("chord.recall", voice: nil)! > 0.98)
  }

  /// Every metric returns a finite number or a reason, once for each voice or once in all.
  @Test func everythingIsANumberOrAReason() throws {
    let choir = try ChoirOfSingers(Self.vowels, Self.score, seconds: 1.2)
    let silent = Signal(
      Array(repeating: 0, count: choir.recording.signal.count), sampleRateHz: 48_000)
    for stems in [[silent, silent], choir.stems, [choir.stems[0], silent]] {
      let observation = choir.observation(stems)
      for metric in Metric.builtIn {
        let found = metric.measure(observation)
        #expect(found.count == 1 || found.map(\.voice) == [0, 1], "\(metric.id)")
        for case .value(let value) in found.map(\.outcome) { #expect(value.isFinite) }
      }
    }
  }

  /// One voice is out of tune, measured within 0.1 cents plus 2 %.
  @Test(arguments: [1.0, 2, 5, 10]) func detuningIsMeasuredInCents(cents: Double) throws {
    let other = try ChoirOfSingers(
      Self.vowels, Score(id: "off", intervalsSemitones: [-5 + cents / 100, 4]))
    let observation = Self.choir.observation(other.stems)
    let bound = 0.1 + 0.02 * cents
    #expect(abs(try #require(observation.value("pitch.bias")) - cents) < bound)
    #expect(abs(try #require(observation.value("pitch.abs_error")) - cents) < bound)
    #expect(abs(try #require(observation.value("pitch.bias", voice: 1))) < 0.1)
  }

  /// One of two voices that swing is 25 ms late. By the delay of their sum, which follows the louder one,
  /// the other would be out of tune by up to 2π 5.5 Hz times 25 ms, 0.9 of its vibrato's extent.
  @Test(arguments: [0.2, 1, 5]) func aVoiceIsAlignedByItsOwnDelay(gain: Float) throws {
    let choir = try ChoirOfSingers(try Songbook.performance(id: "vibrato-rates-mezzo"), Self.score)
    var stems = choir.stems
    let late = [Float](repeating: 0, count: 1200)
    stems[1].samples = late + stems[1].samples.dropLast(1200).map { gain * $0 }
    let observation = choir.observation(stems)
    for voice in [0, 1] {
      #expect(try #require(observation.value("pitch.abs_error", voice: voice)) < 1)
    }
    let delays = try [0, 1].map { try #require(observation.value("latency.voice", voice: $0)) }
    #expect(abs(delays[1] - delays[0] - 25) < 2)
  }

  /// One of two voices leaves out a stretch, or is late throughout; the other is steady.
  @Test(arguments: [(25.0, 25.0), (60, 60), (0, 0)])
  func aJumpOfTheDelayIsMeasured(ms: Double, wanted: Double) throws {
    let choir = try ChoirOfSingers(
      try Songbook.performance(id: "stops-tenor"), Self.score, seconds: 7)
    var stems = choir.stems
    let (place, length) = (stems[1].count / 2, Int(ms * 48))
    let late = [Float](repeating: 0, count: length)
    stems[0].samples = late + stems[0].samples.dropLast(length)
    stems[1].samples.removeSubrange(place..<place + length)
    stems[1].samples += late
    let observation = choir.observation(stems)
    #expect(observation.value("latency.change") == 0)
    let change = try #require(observation.value("latency.change", voice: 1))
    #expect(abs(change - wanted) < 3, "\(change)")
  }

  /// A voice is lost where it is silent, but not for 10 ms, and not if it is 20 dB softer. The tracker's
  /// window of 50 ms hears a little of what surrounds a gap.
  @Test(arguments: [(0.01, -200.0, 0.0), (0.5, -20, 0), (0.5, -200, 0.5), (0.2, -200, 0.2)])
  func whatNobodyHearsIsMissing(seconds: Double, db: Double, wanted: Double) throws {
    let target = Self.perfect.voices[0].target.f0Hz
    let held = try #require(
      target.indices.first { $0 + 120 < target.count && !target[$0..<$0 + 120].contains(0) })
    var stems = Self.choir.stems
    let (begin, gain) = ((held + 10) * 240, Float(pow(10, db / 20)))
    for i in begin..<begin + Int(seconds * 48_000) { stems[0].samples[i] *= gain }
    let observation = Self.choir.observation(stems)
    let voiced = Double(target.count { $0 > 0 }) * 0.005
    let share = try #require(observation.value("voice.missing"))
    #expect(abs(share - wanted / voiced) < 0.015)
  }

  /// Noise in its place, 3 dB louder, is no voice, though now and then the target is the likeliest pitch
  /// of noise too. The voice itself is there below it.
  @Test(arguments: [(0.0, 0.5), (1, 0)])
  func noiseInPlaceOfAVoiceIsNoVoice(gain: Float, wanted: Double) throws {
    let target = Self.perfect.voices[0].target.f0Hz
    let held = try #require(
      target.indices.first { $0 + 120 < target.count && !target[$0..<$0 + 120].contains(0) })
    var stems = Self.choir.stems
    var random = SeededGenerator(seed: 9)
    let place = (held + 10) * 240..<(held + 110) * 240
    let energy = place.reduce(0.0) { $0 + Double(stems[0].samples[$1] * stems[0].samples[$1]) }
    let rms = (energy / Double(place.count)).squareRoot()
    for i in place {
      // A uniform number has a variance of a twelfth.
      let noise = 1.41 * rms * 12.0.squareRoot() * (random.uniform() - 0.5)
      stems[0].samples[i] = gain * stems[0].samples[i] + Float(noise)
    }
    let observation = Self.choir.observation(stems)
    let voiced = Double(target.count { $0 > 0 }) * 0.005
    let share = try #require(observation.value("voice.missing"))
    #expect(abs(share * voiced - wanted) < 0.05)
  }

  /// A voice is an octave too high for a share of the time, and another one is missing.
  @Test(arguments: [0.2, 1]) func wrongOctavesAndLostVoicesAreShares(share: Double) throws {
    let octave = try ChoirOfSingers(Self.vowels, Score(id: "up", intervalsSemitones: [7, 4]))
    let end = Int(share * Double(Self.choir.recording.signal.count))
    var stems = Self.choir.stems
    stems[0].samples.replaceSubrange(..<end, with: octave.stems[0].samples[..<end])
    for i in 0..<end { stems[1].samples[i] = 0 }
    let observation = Self.choir.observation(stems)
    // Voiced frames are not spread quite evenly over time.
    let voiced = observation.voices[0].target.f0Hz
    let late = Int(try #require(observation.delay.seconds) / 0.005)
    let wanted =
      Double(voiced.prefix(end / 240 + late).count { $0 > 0 }) / Double(voiced.count { $0 > 0 })
    #expect(abs(try #require(observation.value("pitch.octave_errors")) - wanted) < 0.03)
    #expect(abs(try #require(observation.value("voice.missing", voice: 1)) - wanted) < 0.03)
    // Both targets of the chord are missed meanwhile.
    #expect(abs(try #require(observation.value("chord.recall", voice: nil)) - (1 - wanted)) < 0.03)
  }

  @Test func swappedVoicesAreDetected() throws {
    let swapped = Self.choir.observation(Self.choir.stems.reversed())
    #expect(try #require(swapped.value("voice.swapped")) > 0.98)
    #expect(try #require(swapped.value("voice.swapped", voice: 1)) > 0.98)
    // The chord is complete nevertheless.
    #expect(try #require(swapped.value("chord.recall", voice: nil)) > 0.98)
  }

  /// A singer with a shorter vocal tract has formants higher by that share, measured within 0.5
  /// points up to 5 %; of 10 % the fit misses a twentieth.
  @Test(arguments: [1.0, 2, 5, 10]) func formantsMoveByPercent(percent: Double) throws {
    var performance = Self.vowels
    performance.voice.tractLengthCm /= 1 + percent / 100
    let other = try ChoirOfSingers(performance, Self.fourth)
    let observation = Self.soloist.observation(other.stems)
    for formant in 1...3 {
      let shift = try #require(observation.value("formant.f\(formant)_shift"))
      #expect(abs(shift - percent) < max(0.5, 0.06 * percent), "f\(formant) \(shift)")
    }
    // The fit reads fixed harmonics, so it finds a slightly smaller shift.
    let ratio = try #require(observation.value("formant.ratio"))
    #expect(abs((ratio - 1) * 100 - percent) < 1, "ratio \(ratio)")
  }

  /// Above 220 Hz harmonics lie too far apart for the first formant: without its domain the metric
  /// would read 12.7 % for 10. It is undefined there; the second and third are measured.
  @Test(arguments: [0.0, 5, 10])
  func theFirstFormantOfHighVoicesIsUndefined(percent: Double) throws {
    let vowels = try Songbook.performance(id: "vowels-alto")
    let choir = try ChoirOfSingers(vowels, Score(id: "third", intervalsSemitones: [4]))
    let lead = choir.recording.truth!.f0Hz.filter { $0 > 0 }
    #expect(try #require(lead.min()) > 220)
    var performance = vowels
    performance.voice.tractLengthCm /= 1 + percent / 100
    let other = try ChoirOfSingers(performance, Score(id: "third", intervalsSemitones: [4]))
    let observation = choir.observation(other.stems)
    let first = observation.value("formant.f1_shift")
    #expect(first == nil, "\(first ?? 0)")
    #expect(observation.reason("formant.f1_shift")?.contains("too high to tell F1") == true)
    for formant in 2...3 {
      let shift = try #require(observation.value("formant.f\(formant)_shift"))
      #expect(abs(shift - percent) < max(0.5, 0.06 * percent), "f\(formant) \(shift)")
    }
  }

  /// A slope in decibels an octave from 100 Hz up, applied to the whole spectrum.
  @Test(arguments: [-6.0, -1, 3]) func tiltIsMeasuredInDecibelsPerOctave(db: Double) throws {
    let stems = Self.soloist.stems.map { stem in
      stem.filtered { hz in db * log2(max(hz, 50) / 100) }
    }
    let observation = Self.soloist.observation(stems)
    let change = try #require(observation.value("timbre.tilt_change"))
    #expect(abs(change - db) < 0.2, "\(change)")
  }

  /// Octave bands raised and lowered in turn by `db` are at a distance of `db`.
  @Test(arguments: [1.0, 5]) func envelopesDifferByDecibels(db: Double) throws {
    let stems = Self.soloist.stems.map { stem in
      stem.filtered { hz in Int(log2(max(hz, 50) / 50)).isMultiple(of: 2) ? db : -db }
    }
    let distance = try #require(Self.soloist.observation(stems).value("envelope.lsd"))
    // Envelopes have slopes of about 100 Hz between bands.
    #expect(abs(distance - db) < 0.15 * db + 0.05, "\(distance)")
  }

  /// A voice changes to each of its notes `lateMs` after the command.
  @Test(arguments: [0.0, 10, 20, 50]) func latenessOfACommandIsMeasured(lateMs: Double) throws {
    let notes: [NoteNumber] = [52, 55, 50, 57].map { NoteNumber($0) }
    let held = Score(
      id: "notes",
      .notes(
        notes.indices.map { index in
          NoteAction(
            atSeconds: Double(index), press: [notes[index]],
            release: index == 0 ? nil : [notes[index - 1]])
        }))
    let lead = KnownVoice(seconds: 4) { _ in 150 }
    let track = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 150, count: 800))
    let score = ResolvedScore(held, lead: track)
    let voice = KnownVoice(seconds: 4) { time in
      notes[max(0, min(3, Int(time - lateMs / 1000)))].hz
    }.signal()
    let entry = ManifestEntry(
      id: "r", source: "test", licence: "CC0-1.0", voice: "alto", kind: "sung")
    let observation = Observation(
      Recording(entry: entry, signal: lead.signal(), digest: "", truth: track), score: score,
      rendering: Rendering(
        mix: voice, stems: [voice], reportedLatencyMs: 0, cpuSeconds: 0.01))
    // The tracker's window spans several periods, so a step becomes a ramp, exact to a few ms.
    #expect(abs(try #require(observation.value("step.delay")) - lateMs) < 3)
    #expect(observation.reason("step.rise") == "all steps are faster than the tracker can tell")
    #expect(abs(try #require(observation.value("step.overshoot"))) < 10)
    let control = try #require(observation.value("latency.control"))
    #expect(control - lateMs > 0 && control - lateMs < 25)
    #expect(
      abs(try #require(observation.value("note.onset_displacement")) - lateMs) < 6)
  }

  /// A tuner leaves its tone for 50 ms three times a second.
  @Test func flutterIsCounted() throws {
    let track = PitchTrack(hopSeconds: 0.005, f0Hz: (0..<600).map { $0 % 66 < 10 ? 233.08 : 220 })
    // It leaves ten times in 3 s; the first has no tone before it, and the last does not return.
    #expect(track.flutterCount == 8)
  }

  @Test func cutConsonantsAreLost() throws {
    let choir = try ChoirOfSingers(
      try Songbook.performance(id: "stops-tenor"), Self.score, seconds: 7)
    let consonants = ConsonantClass.consonants(in: choir.recording.phones!)
    #expect(consonants.count == 12)
    let whole = choir.observation(choir.stems)
    #expect(try #require(whole.value("consonant.lost")) < 0.01)
    var stems = choir.stems
    // Four of twelve are cut, with the end of their burst that overlaps the vowel.
    for phone in consonants where ["t", "k"].contains(phone.label) {
      let range = Int(phone.onsetSeconds * 48_000)..<Int((phone.offsetSeconds + 0.01) * 48_000)
      for i in range.clamped(to: stems[0].samples.indices) { stems[0].samples[i] = 0 }
    }
    let cut = choir.observation(stems)
    let lost = try #require(cut.value("consonant.lost"))
    #expect(abs(lost - 1 / 3.0) < 0.01, "\(lost)")
    #expect(try #require(cut.value("consonant.lost", voice: 1)) < 0.01)
  }

  /// Without phones, noise is found in the sound.
  @Test(arguments: [("stops-tenor", true), ("fricatives-alto", false)])
  func softConsonantsHaveTheirLevel(song: String, hasPhones: Bool) throws {
    var choir = try ChoirOfSingers(try Songbook.performance(id: song), Self.score, seconds: 7)
    let phones = choir.recording.phones!
    if !hasPhones { choir.recording.annotations.phones = nil }
    let whole = try #require(choir.observation(choir.stems).value("consonant.level"))
    var stems = choir.stems
    for phone in ConsonantClass.consonants(in: phones) {
      let range = Int(phone.onsetSeconds * 48_000)..<Int(phone.offsetSeconds * 48_000)
      for i in range.clamped(to: stems[0].samples.indices) {
        stems[0].samples[i] *= Float(pow(10, -3.0 / 20))
      }
    }
    let soft = try #require(choir.observation(stems).value("consonant.level"))
    // Times are rounded to milliseconds.
    #expect(abs(soft - whole + 3) < 0.2, "\(soft - whole)")
  }

  @Test func measuresOfEqualPitchNeedTheOracle() {
    let observation = Self.choir.observation(Self.choir.stems, withOracle: false)
    #expect(observation.reason("timbre.mcd") == "only the synthetic singer has an oracle")
    #expect(observation.value("envelope.lsd") != nil)
  }

  /// Syllables are as intelligible as their oracle; vowels have nothing to understand.
  @Test func intelligibilityNeedsWords() throws {
    let choir = try ChoirOfSingers(
      try Songbook.performance(id: "stops-tenor"), Self.fourth, seconds: 5)
    let perfect = choir.observation(choir.stems)
    for (id, bound) in [("intelligibility.stoi", 0.001), ("intelligibility.ncm", 0.01)] {
      #expect(abs(try #require(perfect.value(id)) - 1) < bound)
    }
    let alone = choir.observation(choir.stems, withOracle: false)
    #expect(
      alone.reason("intelligibility.stoi") == "only the synthetic singer has an oracle")
    #expect(alone.value("intelligibility.stoi.vocoded") != nil)
    for metric in MetricFamily.all.first(where: { $0.id == "words" })!.metrics {
      #expect(metric.measure(Self.perfect) == [.undefined(.noWords)], "\(metric.id)")
    }
  }

  /// A swing of the whole level at 6 Hz counts 2 / (6/4 + 4/6) of its depth.
  @Test(arguments: [1.0, 3, 9]) func aTremorIsHeardAsModulation(db: Double) throws {
    let trembling = Self.soloist.stems.map { stem in
      Signal(
        stem.samples.enumerated().map { n, sample in
          sample * Float(pow(10, db / 2 * sin(2 * .pi * 6 * Double(n) / 48_000) / 20))
        }, sampleRateHz: stem.sampleRateHz)
    }
    let found = try #require(Self.soloist.observation(trembling).value("modulation.added"))
    let expected = db * 2 / (6.0 / 4 + 4.0 / 6)
    // Vowels end before the slow swing does; lines of short stretches have a width.
    #expect(abs(found - expected) < 0.1 * expected + 0.05, "\(found)")
  }
}

extension Signal {
  /// Changes the level of each frequency, over the whole sound at once.
  fileprivate func filtered(_ gainDb: (Double) -> Double) -> Signal {
    let size = 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    var transform = FourierTransform(count: size)
    transform.forward((samples + Array(repeating: 0, count: size - count)).span)
    var spectrum = transform.spectrum
    for bin in 0..<spectrum.count {
      let gain =
        Float(pow(10, gainDb(Double(bin) * sampleRateHz / Double(size)) / 20)) / Float(size)
      spectrum[bin] = ComplexFloat(spectrum[bin].re * gain, spectrum[bin].im * gain)
    }
    transform.inverse()
    let sound = transform.samples
    return Signal((0..<count).map { sound[$0] }, sampleRateHz: sampleRateHz)
  }
}
