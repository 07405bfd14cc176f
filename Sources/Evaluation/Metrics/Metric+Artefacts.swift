import Analyzer
import DSP
import Foundation
import Harmonizer
import Subjects

extension Metric {
  static let artefacts: [Metric] =
    ofPairs([PairMetric.clicks], against: .lead, versions: ["clicks.count": 3])
    + ofPairs([PairMetric.modulation], against: .oracleOrLead, versions: ["modulation.added": 2])
    + tremolo
    + ofPairs([PairMetric.roughness], against: .oracleOrLead)
    + ofPairs(
      [PairMetric.doubling, PairMetric.smear], against: .lead,
      versions: ["transient.smear": 3, "doubling.level": 2, "doubling.delay": 2])
    + ofPairs(
      [PairMetric.defects, PairMetric.level], against: .lead,
      versions: ["noise.floor": 3, "clipping.share": 2])

  private static let tremolo = [
    (
      "tremolo.depth", "dB", Direction.lower,
      "Level swing from trough to crest: at the rate of the engine's law, otherwise the most "
        + "regular swing that the reference lacks; 0 if none is regular"
    ),
    ("tremolo.rate", "Hz", .target, "Rate of that swing"),
  ].enumerated().map { place, figure in
    Metric(
      figure.0, version: 3, unit: figure.1, figure.2, figure.3,
      domain: "voices of the delay line on one interval, at the rate of its law within 0.5 to 200 "
        + "Hz and a quarter of the lowest pitch; others: \(PairMetric.tremolo.domain), against "
        + "the oracle if there is one, otherwise against the subject's input"
    ) { observation in
      ofStems(observation) { voice, sound, index in
        let found = voice.analyses.tremolo { tremolo(of: sound, index, observation) }
        var measurement = found[place]
        measurement.voice = index
        return measurement
      }
    }
  }

  private static func tremolo(
    of sound: AnalyzedSound, _ index: Int, _ observation: Observation
  ) -> [MetricResult] {
    if let rateHz = observation.predictedTremoloHz(ofVoice: index) {
      do {
        let found = try Tremolo(of: sound.audible, rateHz: rateHz)
        return [found.depthDb, rateHz].map { .value($0, count: found.stretchCount) }
      } catch {
        return PairMetric.tremolo.figures.map { _ in .undefined(Undefined(error)) }
      }
    }
    switch observation.pair(ofVoice: index, against: .oracleOrLead) {
    case .success(let pair): return PairMetric.tremolo.measure(pair)
    case .failure(let failure):
      return PairMetric.tremolo.figures.map { _ in .undefined(failure) }
    }
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
