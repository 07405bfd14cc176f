import Analyzer
import DSP
import Statistics

extension ProbeFinding {
  /// Measures how an output steps between two pitches, to and fro.
  ///
  /// - Parameter times: instants of the steps in seconds.
  package static func steps(
    of output: Signal, _ name: String, times: [Double], fromHz: Double, toHz: Double
  ) -> [ProbeFinding] {
    let steps = times.enumerated().map { index, time in
      PitchStep(
        timeSeconds: time, fromHz: index % 2 == 0 ? fromHz : toHz,
        toHz: index % 2 == 0 ? toHz : fromHz)
    }
    let track = PitchTracker.standard.track(output)
    let all = StepResponse.all(of: track, to: steps)
    let found = all.compactMap { try? $0.get() }
    let failures = all.compactMap { result -> String? in
      if case .failure(let failure) = result { "\(failure)" } else { nil }
    }
    guard !found.isEmpty else {
      return [.undefined(.step, name, failures.first ?? "no steps")]
    }
    let instants = steps.compactMap { try? StepInstant(in: output, of: $0).delayMs }
    let n = "\(found.count) of \(steps.count) steps of 4 semitones"
    func middle(_ part: (StepResponse) -> Double) -> Double {
      Statistics.median(found.map(part)) ?? 0
    }
    let rises = found.compactMap(\.riseMs)
    let delay = Statistics.median(instants) ?? middle(\.delayMs)
    return [
      ProbeFinding(
        .step, "\(name).delay", delay, "ms", .measured,
        "\(n); time to half the step, "
          + (instants.isEmpty ? "by the pitch track" : "by the waveform")),
      rises.count * 2 > found.count
        ? ProbeFinding(
          .step, "\(name).rise", Statistics.median(rises), "ms", .measured,
          "from 10 % to 90 % of the step")
        : .undefined(.step, "\(name).rise", "not above the pitch tracker's own 16 ms"),
      ProbeFinding(
        .step, "\(name).settle", middle(\.settleMs), "ms", .measured,
        "time until the pitch stays within 10 cents of the new pitch"),
      ProbeFinding(
        .step, "\(name).overshoot", middle(\.overshootCents), "cents",
        middle(\.overshootCents) <= 10 ? .good : .poor,
        middle(\.overshootCents) <= 10 ? "at most 10 cents" : "passes the new pitch"),
      ProbeFinding(
        .step, "\(name).error", middle { abs($0.errorCents) }, "cents",
        middle { abs($0.errorCents) } <= 5 ? .good : .poor,
        "distance from the target pitch once settled"),
    ]
  }
}
