extension Metric {
  static let cost: [Metric] = [
    Metric(
      "cpu.realtime_factor", unit: "ratio", .lower,
      "Time on a core over the duration of the sound, all voices together",
      domain: "sounds of at least 0.1 s"
    ) { observation in
      let seconds = observation.recording.signal.durationSeconds
      guard seconds >= 0.1 else { return [.undefined("the sound is shorter than 0.1 s")] }
      return [.value(observation.rendering.cpuSeconds / seconds, count: 1)]
    }
  ]
}
