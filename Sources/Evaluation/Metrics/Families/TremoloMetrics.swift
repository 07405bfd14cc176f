import Analyzer
import DSP
import Foundation
import Harmonizer
import Subjects

extension Metric {
  static let tremolo = [
    Figure(
      "tremolo.depth", version: 6, unit: "dB", .lower,
      "Tremolo: level swing from trough to crest, at the rate of the engine's law, otherwise the most "
        + "regular swing that the reference lacks; 0 if none is regular"),
    Figure("tremolo.rate", version: 4, unit: "Hz", .target, "Rate of the tremolo", describes: true),
  ].enumerated().map { place, figure in
    Metric(
      figure,
      domain: "voices of the delay line on one interval, at the rate of its law within 0.5 to 200 "
        + "Hz and a quarter of the lowest pitch, at least 1 s that is loud; others: "
        + "\(PairMetric.tremolo.domain), against the oracle if there is one, otherwise against the "
        + "subject's input"
    ) { observation in
      try observation.byStem { voice, sound, index in
        voice.analyses.tremolo { tremolo(of: sound, index, observation) }[place]
      }
    }
  }

  private static func tremolo(
    of sound: AnalyzedSound, _ index: Int, _ observation: Observation
  ) -> [MetricResult] {
    do {
      guard let rateHz = observation.predictedTremoloHz(ofVoice: index) else {
        return PairMetric.tremolo.measure(
          try observation.pair(ofVoice: index, against: .oracleOrLead).get())
      }
      let swing = try Tremolo(of: sound.audible, rateHz: rateHz)
      // A second of sound, which other engines need too. A stretch is ten periods long and begins in the
      // middle of the one before.
      guard Double(swing.stretchCount + 1) * 5 / rateHz >= 1 else {
        throw Unmeasurable.lessThanOneSecond
      }
      return [swing.depthDb, rateHz].map { .value($0, count: swing.stretchCount) }
    } catch { return PairMetric.tremolo.undefined(Undefined(error)) }
  }
}

extension Observation {
  /// Returns the swing rate of this package's delay line on one interval. It is `nil` for anything
  /// else, and if the rate is too near the voice's own pulses to be audible as a swing.
  fileprivate func predictedTremoloHz(ofVoice voice: Int) -> Double? {
    guard subject == ReferenceSubject().id, score.voices[voice].count == 1,
      case .interval(let semitones)? = score.voices[voice].first?.target,
      case .live(.delayLine(let settings))? = try? ChoirEngine.chosen(by: settings).engine,
      settings.spliceToPeriods == 0,
      let lowest = voices[voice].target.f0Hz.filter({ $0 > 0 }).min()
    else { return nil }
    let rateHz = DelayLineLaw(
      shiftSemitones: semitones, settings: settings, sampleRateHz: heard.sampleRateHz
    ).sweepRateHz
    return 0.5...200 ~= rateHz && rateHz <= lowest / 4 ? rateHz : nil
  }
}
