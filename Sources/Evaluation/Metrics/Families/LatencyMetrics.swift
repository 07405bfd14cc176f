import Analyzer
import Corpus
import DSP
import Platform
import Subjects

extension Metric {
  private static let noStatedDelay = Undefined(
    .noStatedDelay, "the subject doesn't state its delay")

  // The loudness follows the gain of a compressor, which is not late.
  static let alignment = Figure(
    "latency.alignment", version: 3, unit: "ms", .lower,
    "Delay by which the sound is aligned: by waveform, loudness or pitch contour, whichever is most "
      + "certain; of several voices the one in the middle; by loudness up to 8 ms off behind "
      + "compressors, choruses and reverbs", describes: true)

  static let latency: [Metric] = [
    // A stated latency is exact.
    Metric(
      .init(
        "latency.reported", unit: "ms", .lower, "Latency that the subject states", effect: 0.02),
      domain: "subjects that state their latency"
    ) { observation in
      guard let ms = observation.rendering.reportedLatencyMs else { throw noStatedDelay }
      return [.value(ms, count: 1)]
    },
    ofSounds(
      .init(
        "latency.onset", version: 5, unit: "ms", .lower,
        "Latency of the sound, on which several methods agree: the slopes of loudness in four bands, "
          + "sharp and blunt, of rises and of falls, or an unchanged waveform"), \.delayMs),
    ofSounds(
      .init(
        "latency.onset.deviation", version: 3, unit: "ms", .lower,
        "Unsteadiness of the latency: standard deviation of latency.onset", describes: true),
      \.deviationMs),
    Metric(
      alignment,
      domain:
        "sounds with onsets and ends, whose loudness correlates by at least 0.7, or 0.5 if the bands "
        + "agree; or a moving pitch that the voices follow; one constant delay of -500 to 1000 ms"
    ) { observation in
      if observation.isProbe { throw Undefined.impulses }
      guard let ms = observation.delay.ms else { throw observation.delay.unknown! }
      return [.value(ms, count: 1)]
    },
    // Its effect is that of hearing. The judge errs by milliseconds, but alike on both sides of a comparison.
    Metric(
      .init(
        "latency.voice", version: 2, unit: "ms", .lower,
        "Delay of the voice alone, by its loudness; up to 8 ms off", effect: 0.25),
      domain: "stems of several voices; sounds with onsets and ends that tell the delay within "
        + "2 ms (standard deviation)"
    ) { observation in
      try observation.byStem(needsDelay: false) { voice, _, _ in
        guard let own = voice.ownDelay else {
          throw Undefined(.oneVoice, "the only voice has the delay of the output")
        }
        return .value(try own.exact().delayMs, count: 1)
      }
    },
    // Parts of a sound tell its delay by some milliseconds.
    Metric(
      .init(
        "latency.change", unit: "ms", .lower,
        "Change of a voice's delay: how far it drifts or jumps, by its loudness; 0 below 10 ms",
        effect: 10),
      domain: "stems; sounds with onsets and ends that tell the delay within 2 ms (standard "
        + "deviation), or how it changes"
    ) { observation in
      try observation.byStem(needsDelay: false) { voice, sound, _ in
        do throws(Undefined) {
          _ = try (voice.ownDelay ?? observation.loudnessDelay).exact()
          return .value(0, count: 1)
        } catch {
          let sound = voice.ownDelay == nil ? observation.wet : sound.signal
          guard error.code == .changingDelay,
            let change = OnsetDelay.change(of: sound, from: observation.heard)
          else { throw error }
          return .value(change.changeMs, count: 1)
        }
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
      .init(
        "latency.report_error", version: 2, unit: "ms", .target,
        "Stated latency less that of lone impulses"),
      domain: "the impulse probe, each voice separately; subjects that state their latency"
    ) { observation in
      try observation.byImpulses { delay in
        guard let stated = observation.rendering.reportedLatencyMs else { throw noStatedDelay }
        return stated - delay.meanMs
      }
    },
  ]

  private static func ofSounds(
    _ figure: Figure, _ part: @escaping @Sendable (SoundLatency) -> Double
  ) -> Metric {
    Metric(
      figure,
      domain: "sounds with onsets and ends; a standard deviation of at most 0.4 ms; methods that "
        + "agree within 0.5 ms, and rises with falls within 1 ms, as those of a delay line or a "
        + "chorus don't"
    ) { observation in
      if observation.isProbe { throw Undefined.impulses }
      return [.value(part(try observation.latency.get()), count: 1)]
    }
  }

  private static func ofEvents(
    _ id: String, _ text: String, _ part: @escaping @Sendable (DelayEstimate) -> Double
  ) -> Metric {
    Metric(
      .init(id, version: 2, unit: "ms", .lower, text),
      domain: "sounds with at least three clear onsets, half of which are found in the output, at "
        + "one place only"
    ) { observation in
      if observation.isProbe { throw Undefined.impulses }
      let estimate = try observation.onsetDelays {
        Result { try EventDelay(of: observation.wet, from: observation.heard).estimate }
      }.get()
      guard estimate.events >= 3 else {
        throw Undefined(
          .tooFewOnsets, "only \(counted(estimate.events, "beginning")) came out recognisably")
      }
      return [.value(part(estimate), count: estimate.events)]
    }
  }

  private static func ofImpulses(
    _ id: String, _ text: String, _ part: @escaping @Sendable (ImpulseDelay) -> Double
  ) -> Metric {
    Metric(
      .init(id, version: 3, unit: "ms", .lower, text),
      domain: "the impulse probe; each voice separately"
    ) { try $0.byImpulses(part) }
  }
}

extension Result<OnsetDelay, Undefined> {
  /// Returns a delay on which the bands of loudness agree.
  fileprivate func exact() throws(Undefined) -> OnsetDelay {
    let delay = try get()
    guard delay.deviationMs != nil else {
      throw Undefined(.uncertain, "its loudness tells no exact delay")
    }
    return delay
  }
}

extension Observation {
  /// Returns a figure of the delay of each stem, or of the mix of a subject without stems, on the
  /// impulse probe.
  fileprivate func byImpulses(_ part: (ImpulseDelay) throws -> Double) throws -> [MetricResult] {
    guard isProbe else { throw Undefined(.probesOnly, "measured on the impulse probe") }
    let stems = rendering.stems
    let delays = impulseDelays {
      (stems.isEmpty ? [rendering.mix] : stems).map { sound in
        Result { try ImpulseDelay(of: sound, from: recording.signal) }
      }
    }
    return delays.enumerated().map { index, delay -> MetricResult in
      let voice = stems.isEmpty ? nil : index
      do {
        let delay = try delay.get()
        return .value(try part(delay), voice: voice, count: delay.estimate.events)
      } catch { return .undefined(Undefined(error), voice: voice) }
    }
  }
}
