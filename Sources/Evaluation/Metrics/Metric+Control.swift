import Analyzer
import Statistics
import Subjects

extension Metric {
  private static let steps =
    "voices that change notes by chords, pads, notes, MIDI or a tuner's key while the lead sings, "
    + "and hold them for 160 ms; the command of a tuner is the lead's own change"

  /// The response of voices to changing notes.
  static let control: [Metric] = [
    ofSteps(
      "step.delay", "Time from the command to half the step, median", \.delayMs),
    ofSteps(
      "step.rise", "Time from 10 % to 90 % of the step, less the tracker's own, median",
      because: "all steps are faster than the tracker can tell", \.riseMs),
    ofSteps(
      "step.settle", "Time from half the step until the pitch stays within 10 cents, median"
    ) { $0.settleMs - $0.delayMs },
    ofSteps(
      "step.overshoot", unit: "cents", "Overshoot beyond the new pitch, median", \.overshootCents),
    ofSteps(
      "latency.control", "Time from the command until the pitch stays within 10 cents, median",
      \.settleMs),
    ofSteps(
      "latency.control.p5", "5th percentile of latency.control", reduce: quantile(0.05),
      \.settleMs),
    ofSteps(
      "latency.control.p95", "95th percentile of latency.control", reduce: quantile(0.95),
      \.settleMs),
    Metric(
      "note.onset_displacement", version: 2, unit: "ms", .lower,
      "Distance of note onsets from those of the target, median",
      domain: "stems; notes of the target that the voice sings within 100 cents and 150 ms, at "
        + "least 3; targets that follow the lead are delayed by the measured latency"
    ) { observation in
      ofStems(observation, needsDelay: observation.score.followsLead) { voice, _, index in
        let apart = voice.onsetDisplacementsMs
        guard apart.count >= 3 else {
          return .undefined(
            .tooFewNotes, "only \(apart.count) notes are found on both sides", voice: index)
        }
        return .value(Statistics.median(apart.map(abs))!, voice: index, count: apart.count)
      }
    },
    Metric(
      "tune.flutter_rate", version: 2, unit: "Hz", .lower,
      "Rate at which a tuned voice leaves a note for less than 0.2 s and returns, less that of "
        + "its target",
      domain: "scores of the form tuned; at least 1 s of voice"
    ) { observation in
      guard case .tuned = observation.score.score.form else {
        return [.undefined(.nothingTuned, "the score tunes nothing")]
      }
      return ofVoices(observation) { voice, index in
        let seconds = Double(voice.heard.f0Hz.count { $0 > 0 }) * voice.heard.hopSeconds
        guard seconds >= 1 else {
          return .undefined(
            .tooLittleVoice, "only \((seconds * 100).rounded() / 100) s of voice", voice: index)
        }
        let extra = max(0, voice.heard.flutterCount - voice.wanted.flutterCount)
        return .value(Double(extra) / seconds, voice: index, count: voice.heard.count)
      }
    },
  ]

  private static func quantile(_ share: Double) -> @Sendable ([Double]) -> Double? {
    { Statistics.quantile($0, share) }
  }

  private static func ofSteps(
    _ id: String, unit: String = "ms", _ text: String, because: String = "",
    reduce: @escaping @Sendable ([Double]) -> Double? = Statistics.median,
    _ part: @escaping @Sendable (StepResponse) -> Double?
  ) -> Metric {
    Metric(id, version: 2, unit: unit, .lower, text, domain: "stems; " + steps) { observation in
      // A command has its own time, which no delay moves.
      ofStems(observation, needsDelay: false) { voice, _, index in
        let responses = voice.stepResponses
        guard !responses.isEmpty else {
          return .undefined(.noNoteMoves, "the score moves no note of this voice", voice: index)
        }
        let found = responses.compactMap { try? $0.get() }
        guard !found.isEmpty else {
          return .undefined(
            .unclearSteps, "none of \(responses.count) steps is clear enough", voice: index)
        }
        let values = found.compactMap(part)
        return reduce(values).map { .value($0, voice: index, count: values.count) }
          ?? .undefined(.unresolved, because, voice: index)
      }
    }
  }
}
