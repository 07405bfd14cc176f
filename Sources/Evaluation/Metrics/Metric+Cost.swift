import Corpus
import DSP
import Subjects

extension Metric {
  package static let cost: [Metric] =
    [
      ofTime(
        "cpu.realtime_factor", "Processor time over the duration of the sound, for all voices"
      ) { _ in 1 },
      ofTime(
        "cpu.realtime_factor.per_voice",
        "Processor time over the duration of the sound, per voice"
      ) { $0.score.voices.count },
    ] + CostFigure.all.map(\.metric)

  /// - Parameter parts: returns the number of parts among which the time is divided.
  private static func ofTime(
    _ id: String, _ summary: String, _ parts: @escaping @Sendable (Observation) -> Int
  ) -> Metric {
    Metric(
      id, unit: "ratio", .lower, summary,
      domain: "sounds of at least 0.1 s that are rendered by the run"
    ) { observation in
      let seconds = observation.recording.signal.durationSeconds
      guard seconds >= 0.1 else {
        return [.undefined(.tooShort, "the sound is shorter than 0.1 s")]
      }
      guard let cpuSeconds = observation.rendering.cpuSeconds else {
        return [
          .undefined(.notTimed, "the sounds were rendered elsewhere; what that took isn't known")
        ]
      }
      let parts = Double(max(1, parts(observation)))
      return [.value(cpuSeconds / seconds / parts, count: 1)]
    }
  }
}
