import Analyzer
import DSP
import Foundation

extension PairMetric {
  static let formants: [PairMetric] = [
    PairMetric(
      (1...3).map {
        .init(
          "formant.f\($0)_shift", unit: "%", .target,
          "How far formant \($0) lies above that of the reference, median over frames")
      }, domain: "at least 20 frames that are voiced and have the formant on both sides"
    ) { (pair: SoundPair) throws in
      let tracker = try FormantTracker()
      let reference = tracker.track(pair.reference.withoutNonFinite)
      let test = tracker.track(pair.test.withoutNonFinite)
      let late = Int((pair.delay.seconds / test.hopSeconds).rounded())
      return (1...3).map { number in
        let wanted = reference.frequenciesHz(ofFormant: number)
        let heard = test.frequenciesHz(ofFormant: number)
        let shifts = wanted.indices.compactMap { frame -> Double? in
          let time = Double(frame) * reference.hopSeconds
          guard heard.indices.contains(frame + late), let a = wanted[frame],
            let b = heard[frame + late], (pair.referenceTrack.f0Hz(atSeconds: time) ?? 0) > 0
          else { return nil }
          return (b / a - 1) * 100
        }
        guard shifts.count >= 20 else {
          return .undefined("only \(shifts.count) frames have formant \(number) on both sides")
        }
        return .value(Statistics.median(shifts)!, count: shifts.count)
      }
    },
    PairMetric(
      [
        .init(
          "formant.ratio", unit: "ratio", .target,
          "How far the formants moved: 1 kept, the pitch ratio where they moved along")
      ], domain: "voices below 500 Hz on both sides; envelopes that resemble each other"
    ) { (pair: SoundPair) throws in
      let found = try FormantRatio(
        of: pair.test.withoutNonFinite, pair.testTrack, from: pair.reference.withoutNonFinite,
        pair.referenceTrack, delaySeconds: pair.delay.seconds)
      return [.value(found.ratio, count: found.frameCount)]
    },
  ]

  static let timbre: [PairMetric] = [
    PairMetric(
      [
        .init(
          "envelope.lsd", unit: "dB", .lower,
          "Log-spectral distance of the envelopes, 100 Hz to 8 kHz, gain apart; median over frames")
      ], domain: "voiced stretches of half a second on both sides"
    ) { (pair: SoundPair) throws in
      let analyzer = try EnvelopeAnalyzer()
      let reference = analyzer.frames(of: pair.reference.withoutNonFinite, pair.referenceTrack)
      let test = analyzer.frames(of: pair.test.withoutNonFinite, pair.testTrack)
      let hop = analyzer.settings.hopMs / 1000
      let distances = reference.compactMap { frame -> Double? in
        let time = frame.timeSeconds + pair.delay.seconds
        let near = test.min { abs($0.timeSeconds - time) < abs($1.timeSeconds - time) }
        guard let near, abs(near.timeSeconds - time) <= hop / 2 + 1e-9 else { return nil }
        return near.envelope.distanceDb(to: frame.envelope, over: 100...8000)
      }
      guard let median = Statistics.median(distances) else {
        return [.undefined("no half second is voiced on both sides")]
      }
      return [.value(median, count: distances.count)]
    },
    PairMetric(
      [
        .init(
          "timbre.mcd", unit: "dB", .lower,
          "Mel-cepstral distortion, levels apart; above 300 Hz a change of pitch counts too")
      ], domain: "frames in which both sound"
    ) { pair in
      let found = MelCepstralDistortion(
        of: MelCepstrum(of: pair.aligned.test), against: MelCepstrum(of: pair.aligned.reference))
      guard let found else { return [.undefined("nowhere do both sound")] }
      return [.value(found.distortionDb, count: found.frameCount)]
    },
    PairMetric(
      [
        .init(
          "timbre.tilt_change", unit: "dB/octave", .target,
          "Slope of the levels of harmonics, 100 Hz to 5 kHz, less that of the reference")
      ], domain: "voices whose harmonics span an octave on both sides"
    ) { pair in
      guard let wanted = tilt(pair.reference, pair.referenceTrack),
        let heard = tilt(pair.test, pair.testTrack)
      else { return [.undefined("harmonics span less than an octave")] }
      return [.value(heard - wanted, count: 1)]
    },
    PairMetric(
      [
        .init(
          "harmonicity.change", unit: "dB", .target,
          "Harmonic-to-noise ratio less that of the reference (below 0: noisier), mean over frames")
      ], domain: "sounds with a voice from 75 to 1200 Hz"
    ) { (pair: SoundPair) throws in
      guard let wanted = try Harmonicity(of: pair.aligned.reference).meanDecibels,
        let heard = try Harmonicity(of: pair.aligned.test).meanDecibels
      else { return [.undefined("no frame has a period")] }
      return [.value(heard - wanted, count: 1)]
    },
  ]

  private static func tilt(_ signal: Signal, _ track: PitchTrack) -> Double? {
    let sampler = HarmonicSampler(of: signal.withoutNonFinite, ceilingHz: 5500)
    let levels = sampler.levels(
      along: track, from: 0, to: signal.durationSeconds, hopSeconds: 0.02)
    return SpectralTilt(of: levels)?.dbPerOctave
  }
}
