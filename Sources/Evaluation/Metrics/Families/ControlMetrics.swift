import Analyzer
import Statistics
import Subjects

extension Metric {
  private static let steps =
    "voices that change notes by chords, pads, notes, MIDI or a tuner's key while the lead sings, "
    + "and hold them for 160 ms; the command of a tuner is the lead's own change"

  /// The response of voices to changing notes.
  static let control: [Metric] = [
    ofSteps("step.delay", "Time from the command to half the step, median", \.delayMs),
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
      "latency.control.p5",
      "Shortest times until the pitch stays: 5th percentile of latency.control",
      reduce: { Statistics.quantile($0, 0.05) }, \.settleMs),
    ofSteps(
      "latency.control.p95",
      "Longest times until the pitch stays: 95th percentile of latency.control",
      reduce: { Statistics.quantile($0, 0.95) }, \.settleMs),
    Metric(
      .init(
        "note.onset_displacement", version: 3, unit: "ms", .lower,
        // Onsets lie on the frames of the tracker.
        "Distance of note onsets from those of the target, median", effect: 5),
      domain: "stems; notes of the target that the voice sings within 100 cents and 150 ms, at "
        + "least 3; targets that follow the lead are delayed by the measured latency"
    ) { observation in
      try observation.byStem(needsDelay: observation.score.followsLead) { voice, _, _ in
        let apart = voice.onsetDisplacementsMs
        guard apart.count >= 3 else {
          throw Undefined(.tooFewNotes, "only \(apart.count) notes are found on both sides")
        }
        return .value(Statistics.median(apart.map(abs))!, count: apart.count)
      }
    },
    Metric(
      .init(
        "tune.flutter_rate", version: 2, unit: "Hz", .lower,
        "Rate at which a tuned voice leaves a note for less than 0.2 s and returns, less that of "
          + "its target"),
      domain: "scores of the form tuned; at least 1 s of voice"
    ) { observation in
      guard case .tuned = observation.score.score.form else {
        throw Undefined(.nothingTuned, "the score tunes nothing")
      }
      return try observation.byVoice { voice, _ in
        let seconds = Double(voice.heard.f0Hz.count { $0 > 0 }) * voice.heard.hopSeconds
        guard seconds >= 1 else {
          throw Undefined(.tooLittleVoice, "only \((seconds * 100).rounded() / 100) s of voice")
        }
        let extra = max(0, voice.heard.flutterCount - voice.wanted.flutterCount)
        return .value(Double(extra) / seconds, count: voice.heard.count)
      }
    },
  ]

  private static func ofSteps(
    _ id: String, unit: String = "ms", _ text: String, because: String = "",
    reduce: @escaping @Sendable ([Double]) -> Double? = Statistics.median,
    _ part: @escaping @Sendable (StepResponse) -> Double?
  ) -> Metric {
    Metric(.init(id, version: 5, unit: unit, .lower, text), domain: "stems; " + steps) {
      observation in
      // A command has its own time, which no delay moves.
      try observation.byStem(needsDelay: false) { voice, _, _ in
        let responses = voice.stepResponses
        guard !responses.isEmpty else {
          throw Undefined(.noNoteMoves, "the score moves no note of this voice")
        }
        let clear = responses.compactMap { try? $0.get() }
        guard !clear.isEmpty else {
          throw Undefined(.unclearSteps, "none of \(responses.count) steps is clear enough")
        }
        let values = clear.compactMap(part)
        guard let value = reduce(values) else { throw Undefined(.unresolved, because) }
        return .value(value, count: values.count)
      }
    }
  }
}
