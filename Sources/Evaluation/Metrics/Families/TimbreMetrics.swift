import Analyzer
import Foundation
import Statistics

extension Metric {
  static let timbre = (PairMetric.formants + PairMetric.timbre).flatMap(\.metrics)
}

extension PairMetric {
  /// Highest pitch at which the first formant is measured. Above it harmonics lie so far apart that
  /// the analysis finds the lowest harmonic instead.
  static let clearestF1Hz = 200.0
  /// Smallest ratio of F1 to the pitch; a closer resonance has no harmonic below it that bounds it.
  private static let minF1OverPitch = 2.0

  static let formants: [PairMetric] = [
    PairMetric(
      [5, 3, 3].enumerated().map { place, version in
        .init(
          "formant.f\(place + 1)_shift", version: version, unit: "%", .target,
          "Shift of formant \(place + 1) from that of the reference, median over half seconds")
      },
      domain:
        "at least three half seconds that are voiced in both; F1: pitches below 200 Hz and F1 at "
        + "least twice as high", against: .oracleOrLead
    ) { pair in
      let frames = pair.envelopes
      let clear = frames.filter {
        isClear($0.reference) && isClear($0.test)
      }
      return (0..<3).map { number in
        let shifts = (number == 0 ? clear : frames).compactMap { reference, test -> Double? in
          guard number < reference.formants.count, number < test.formants.count else { return nil }
          return (test.formants[number].frequencyHz / reference.formants[number].frequencyHz - 1)
            * 100
        }
        if shifts.count >= 3 { return .value(Statistics.median(shifts)!, count: shifts.count) }
        return .undefined(
          number == 0 && frames.count >= 3
            ? Undefined(
              .pitchTooHigh,
              "the pitch is too high to tell F1: \(clear.count) half seconds lie below "
                + "\(Int(clearestF1Hz)) Hz, with F1 well above, on both sides")
            : Undefined(
              .tooLittleVoice, "only \(shifts.count) half seconds are voiced on both sides"))
      }
    },
    PairMetric(
      // A shift of 2 % must be found, so the effect lies below it, and below the 1.5 % that is heard.
      [
        .init(
          "formant.ratio", version: 5, unit: "ratio", .target,
          "Ratio of formant frequencies: 1 if kept, the pitch ratio if moved along", effect: 0.01)
      ], domain: "voices below 500 Hz in both; similar envelopes", against: .oracleOrLead
    ) { pair in
      let formants = try FormantRatio(
        of: pair.test.audible, pair.testTrack, from: pair.reference.formantInput,
        delaySeconds: pair.delay.seconds!)
      return [.value(formants.ratio, count: formants.frameCount)]
    }.inMixes { voice in
      let formants = try FormantRatio(
        of: voice.harmonics, from: voice.reference.audible, voice.reference.track,
        delaySeconds: voice.delaySeconds)
      return [.value(formants.ratio, count: formants.frameCount)]
    },
  ]

  private static func isClear(_ frame: EnvelopeAnalyzer.Frame) -> Bool {
    guard frame.f0Hz <= clearestF1Hz, let first = frame.formants.first else { return false }
    return first.frequencyHz >= minF1OverPitch * frame.f0Hz
  }

  static let timbre = [envelope, cepstrum, tilt, harmonicity]

  static let envelope = PairMetric(
    [
      .init(
        "envelope.lsd", version: 3, unit: "dB", .lower,
        "Log-spectral distance of the envelopes, 100 Hz to 8 kHz, without gain, median over half "
          + "seconds")
    ], domain: "stretches of half a second that are voiced in both", against: .oracleOrLead
  ) { pair in
    let distances = pair.envelopes.compactMap {
      $0.test.envelope.distanceDb(to: $0.reference.envelope, over: 100...8000)
    }
    guard let median = Statistics.median(distances) else {
      throw Undefined(.tooLittleVoice, "no half second is voiced on both sides")
    }
    return [.value(median, count: distances.count)]
  }

  static let cepstrum = PairMetric(
    [
      .init(
        "timbre.mcd", version: 2, unit: "dB", .lower,
        "Mel-cepstral distortion, without level; above 300 Hz a change of pitch counts too")
    ], domain: "frames with sound in both", against: .oracle, suitsMixes: true
  ) { pair in
    let distortion = MelCepstralDistortion(
      of: MelCepstrum(of: pair.aligned.test), against: MelCepstrum(of: pair.aligned.reference))
    guard let distortion else { throw Undefined(.silent, "nowhere do both sound") }
    return [.value(distortion.distortionDb, count: distortion.frameCount)]
  }

  static let tilt = PairMetric(
    [
      .init(
        "timbre.tilt_change", unit: "dB/octave", .target,
        "Brightness: slope of the harmonics' levels, 100 Hz to 5 kHz, less that of the reference")
    ], domain: "voices whose harmonics span an octave in both", against: .oracleOrLead,
    needsDelay: false
  ) { pair in
    guard let wanted = pair.reference.tiltDbPerOctave, let heard = pair.test.tiltDbPerOctave
    else { throw Undefined(.noHarmonics, "harmonics span less than an octave") }
    return [.value(heard - wanted, count: 1)]
  }.inMixes { voice in
    guard let change = voice.tiltChangeDbPerOctave else {
      throw Undefined(
        .noHarmonics, "harmonics that stand apart in the mix span less than an octave")
    }
    return [.value(change, count: 1)]
  }

  static let harmonicity = PairMetric(
    [
      .init(
        "harmonicity.change", unit: "dB", .target,
        "Harmonic-to-noise ratio less that of the reference, mean over frames; negative is noisier")
    ], domain: "sounds with a pitch of 75 to 1200 Hz", against: .oracleOrLead, needsDelay: false
  ) { pair in
    guard let wanted = try pair.reference.harmonicityDb.get(),
      let heard = try pair.test.harmonicityDb.get()
    else { throw Undefined(.noPeriod, "no frame has a period") }
    return [.value(heard - wanted, count: 1)]
  }
}

extension SoundPair {
  /// Envelopes of both at the same instants, where both are voiced.
  fileprivate var envelopes: [(reference: EnvelopeAnalyzer.Frame, test: EnvelopeAnalyzer.Frame)] {
    guard let delaySeconds = delay.seconds else { return [] }
    let heard = test.envelopes(fromSeconds: max(0, delaySeconds))
    let byTime = Dictionary(uniqueKeysWithValues: heard.map { ($0.timeSeconds, $0) })
    return reference.envelopes(fromSeconds: max(0, -delaySeconds)).compactMap { frame in
      byTime[frame.timeSeconds].map { (frame, $0) }
    }
  }
}
