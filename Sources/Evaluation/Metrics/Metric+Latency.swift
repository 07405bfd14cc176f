import Analyzer
import Corpus
import DSP
import Platform
import Subjects

extension Metric {
  static let latency: [Metric] = [
    Metric(
      "latency.reported", unit: "ms", .lower, "Latency that the subject states",
      domain: "subjects that state their latency"
    ) { observation in
      [
        observation.rendering.reportedLatencyMs.map { .value($0, count: 1) }
          ?? .undefined(.noStatedDelay, "the subject doesn't state its delay")
      ]
    },
    ofSounds(
      "latency.onset", version: 4,
      "Latency of the sound, on which several methods agree: the slopes of loudness in four bands, "
        + "sharp and blunt, of rises and of falls, or an unchanged waveform", \.delayMs),
    ofSounds(
      "latency.onset.deviation", version: 2, "Standard deviation of latency.onset", \.deviationMs),
    Metric(
      "latency.loudness", version: 2, unit: "ms", .lower,
      "Lag of the best correlation of output and input loudness, by which sounds are aligned; up to "
        + "8 ms off behind compressors, choruses and reverbs",
      domain:
        "sounds with onsets and ends; correlation of at least 0.7, or 0.5 if the bands agree; one "
        + "constant delay of -500 to 1000 ms"
    ) { observation in
      switch observation.loudnessDelay {
      case .success(let found): [.value(found.delayMs, count: 1)]
      case .failure(let reason): [.undefined(reason)]
      }
    },
    Metric(
      "latency.voice", version: 2, unit: "ms", .lower,
      "Delay of the voice alone, by its loudness; up to 8 ms off",
      domain: "stems of several voices; sounds with onsets and ends that tell the delay within "
        + "2 ms (standard deviation)"
    ) { observation in
      ofStems(observation, needsDelay: false) { voice, _, index in
        guard let delay = voice.ownDelay else {
          return observation.voices.count == 1
            ? .undefined(.oneVoice, "the only voice has the delay of the output", voice: index)
            : .undefined(.uncertain, "its loudness doesn't follow the input's", voice: index)
        }
        return delay.deviationMs == nil
          ? .undefined(.uncertain, "its loudness tells no exact delay", voice: index)
          : .value(delay.delayMs, voice: index, count: 1)
      }
    },
    ofEvents("latency.onset.p5", "5th percentile of the latency of single onsets", \.p5Ms),
    ofEvents("latency.onset.p95", "95th percentile of the latency of single onsets", \.p95Ms),
    ofImpulses(
      "latency.impulse", "Latency of lone impulses, mean weighted by amplitude above the noise",
      \.meanMs),
    ofImpulses("latency.impulse.p5", "5th percentile of the latency of impulses", \.estimate.p5Ms),
    ofImpulses(
      "latency.impulse.p95", "95th percentile of the latency of impulses", \.estimate.p95Ms),
    Metric(
      "latency.report_error", version: 2, unit: "ms", .target,
      "Stated latency less that of lone impulses",
      domain: "the impulse probe, each voice separately; subjects that state their latency"
    ) { observation in
      let stated = observation.rendering.reportedLatencyMs
      return impulseDelays(observation) { delay, voice in
        stated.map { .value($0 - delay.meanMs, voice: voice, count: delay.estimate.events) }
          ?? .undefined(.noStatedDelay, "the subject doesn't state its delay", voice: voice)
      }
    },
  ]

  private static func ofSounds(
    _ id: String, version: Int = 1, _ text: String,
    _ part: @escaping @Sendable (SoundLatency) -> Double
  ) -> Metric {
    Metric(
      id, version: version, unit: "ms", .lower, text,
      domain: "sounds with onsets and ends; a standard deviation of at most 0.4 ms; methods that "
        + "agree within 0.5 ms, and rises with falls within 1 ms, as those of a delay line or a "
        + "chorus don't"
    ) { observation in
      if observation.isProbe { return [.undefined(.impulses)] }
      switch observation.latency {
      case .success(let found): return [.value(part(found), count: 1)]
      case .failure(let reason): return [.undefined(reason)]
      }
    }
  }

  private static func ofEvents(
    _ id: String, _ text: String, _ part: @escaping @Sendable (DelayEstimate) -> Double
  ) -> Metric {
    Metric(
      id, version: 2, unit: "ms", .lower, text,
      domain: "sounds with at least three clear onsets, half of which are found in the output, at "
        + "one place only"
    ) { observation in
      if observation.isProbe { return [.undefined(.impulses)] }
      let found = observation.onsetDelays {
        Result { try EventDelay(of: observation.wet, from: observation.heard).estimate }
      }
      switch found {
      case .failure(let failure): return [.undefined(Undefined(failure))]
      case .success(let estimate) where estimate.events < 3:
        return [
          .undefined(
            .tooFewOnsets, "only \(counted(estimate.events, "beginning")) came out recognisably")
        ]
      case .success(let estimate): return [.value(part(estimate), count: estimate.events)]
      }
    }
  }

  private static func ofImpulses(
    _ id: String, _ text: String, _ part: @escaping @Sendable (ImpulseDelay) -> Double
  ) -> Metric {
    Metric(
      id, version: 3, unit: "ms", .lower, text, domain: "the impulse probe; each voice separately"
    ) {
      observation in
      impulseDelays(observation) { .value(part($0), voice: $1, count: $0.estimate.events) }
    }
  }

  private static func impulseDelays(
    _ observation: Observation, _ measure: (ImpulseDelay, Int?) -> MetricResult
  ) -> [MetricResult] {
    guard observation.isProbe else {
      return [.undefined(.probesOnly, "measured on the impulse probe")]
    }
    let stems = observation.rendering.stems
    let sounds = stems.isEmpty ? [observation.rendering.mix] : stems
    let delays = observation.impulseDelays {
      sounds.map { sound in
        Result { try ImpulseDelay(of: sound, from: observation.recording.signal) }
      }
    }
    return delays.enumerated().map { index, delay -> MetricResult in
      let voice = stems.isEmpty ? nil : index
      switch delay {
      case .success(let delay): return measure(delay, voice)
      case .failure(let failure): return .undefined(Undefined(failure), voice: voice)
      }
    }
  }
}
