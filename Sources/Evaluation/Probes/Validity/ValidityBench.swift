import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Music
import Singer
import Subjects

/// A performance of the synthetic singer with its oracle, on which systems and defects are measured.
struct ValidityBench: Sendable {
  /// A real system, and how good it is known to be.
  struct System: Sendable {
    let name: String
    let settings: SubjectSettings
    /// Place in the known order of pitch, timbre, words and steadiness: engines that keep the period
    /// and the formants (1) come before delay lines (2), and the ideal (0) before both.
    let place: Int
  }

  static let systems = [
    System(name: "offline", settings: ["engine": .text("offline")], place: 1),
    System(name: "vocoder", settings: ["engine": .text("vocoder")], place: 1),
    System(name: "psola", settings: ["engine": .text("psola")], place: 1),
    delayLine(windowMs: 40, crossfadeMs: 20),
    delayLine(windowMs: 20, crossfadeMs: 10),
    delayLine(windowMs: 10, crossfadeMs: 2),
  ]

  private static func delayLine(windowMs: Double, crossfadeMs: Double) -> System {
    System(
      name: "delay line \(Int(windowMs))/\(Int(crossfadeMs))",
      settings: [
        "engine": .text("delayline"), "windowMs": .number(windowMs),
        "crossfadeMs": .number(crossfadeMs),
      ], place: 2)
  }

  let kind: RecordingClass
  private let performance: Performance
  private let recording: Recording
  private let heard: Signal
  private let score: ResolvedScore
  private let oracle: Oracle
  /// Analysis of the input, which all renderings share.
  private let leadSound: AnalyzedSound

  /// - Parameters:
  ///   - seed: seed of the singer's noise and jitter; another one is another take.
  ///   - seconds: duration to keep.
  init(_ id: String, under condition: Condition, seed: UInt64 = 1, seconds: Double) throws {
    var performance = try Songbook.performance(id: id)
    performance.seed &+= seed - 1
    self.performance = performance
    let sung = try performance.render()
    let rate = sung.signal.sampleRateHz
    let entry = ManifestEntry(
      id: id, file: "", source: "synthetic:\(id)", sha256: "", licence: "CC0-1.0",
      attribution: "", voice: "", kind: id.hasPrefix("spoken") ? "spoken" : "sung", shows: "")
    let count = min(sung.signal.count, Int(seconds * rate))
    let signal = Signal(Array(sung.signal.samples.prefix(count)), sampleRateHz: rate)
    var annotations = Annotations()
    annotations.phones = sung.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }.filter { $0.offsetSeconds < seconds }
    let whole = PitchTrack(of: sung.truth)
    let frames = min(whole.count, Int(Double(count) / rate / whole.hopSeconds))
    let track = PitchTrack(
      hopSeconds: whole.hopSeconds, f0Hz: Array(whole.f0Hz.prefix(frames)),
      voicing: Array(whole.voicing.prefix(frames)))
    recording = Recording(
      entry: entry, signal: signal, digest: "", truth: track, annotations: annotations)
    heard = condition.applied(to: signal, other: nil)
    kind = RecordingClass(of: recording, under: condition, lead: track)
    // High voices go down, so that the pitch stays in the domain of formants.
    let interval = kind.register == .high ? -5.0 : 4
    score = ResolvedScore(Score(id: "validity", intervalsSemitones: [interval]), lead: track)
    oracle = try Oracle(performance, score, sampleRateHz: rate)
    leadSound = AnalyzedSound(heard, track: track)
  }

  // MARK: Sounds

  /// The ideal voice.
  var ideal: Signal { cut(oracle.stems[0].signal) }

  private func cut(_ sound: Signal) -> Signal {
    Signal(Array(sound.samples.prefix(recording.signal.count)), sampleRateHz: sound.sampleRateHz)
  }

  func rendering(of system: System) throws -> (sound: Signal, latencyMs: Double) {
    let found = try ReferenceSubject().render(heard, score: score, settings: system.settings)
    return (found.stems.first ?? found.mix, found.reportedLatencyMs ?? 0)
  }

  /// The ideal voice with a defect.
  func ideal(with defect: ValidityDefect.Kind, _ dose: Double) throws -> Signal {
    var random = SeededGenerator(seed: 1)
    let right = ideal
    switch defect {
    case .detuned: return try sung(raisedBy: dose / 100)
    case .octavesUp:
      return right.bursts(
        of: try sung(raisedBy: 12), seconds: 0.8, share: dose, lead: score.lead, &random)
    case .octavesDown:
      return right.bursts(
        of: try sung(raisedBy: -12), seconds: 0.2, share: dose, lead: score.lead, &random)
    case .straying:
      return right.bursts(
        of: try sung(raisedBy: 0.7), seconds: 0.2, share: dose, lead: score.lead, &random)
    case .dropped: return right.dropped(ms: dose, lead: score.lead, &random)
    case .late: return right.delayed(by: { _ in dose / 1000 })
    case .lagging: return try lagging(byMs: dose)
    case .formants:
      var other = performance
      other.voice.tractLengthCm /= 1 + dose / 100
      return cut(try Oracle(other, score, sampleRateHz: right.sampleRateHz).stems[0].signal)
    case .tilted: return right.tilted(db: -dose)
    case .clicking:
      var result = right
      for click in 0..<Int(dose) {
        let share = (Double(click) + random.uniform()) / dose
        result.samples[Int(share * Double(right.count - 1))] += 0.1
      }
      return result
    case .trembling: return right.trembling(db: dose, &random)
    case .noisy:
      let height = Float(right.rms * pow(10, -dose / 20) * 3.0.squareRoot())
      return Signal(
        right.samples.map { $0 + height * Float(2 * random.uniform() - 1) },
        sampleRateHz: right.sampleRateHz)
    case .consonantsDulled:
      return UnvoicedGate(score.lead, delayMs: 0, sampleRateHz: right.sampleRateHz)
        .mixed(right, right.shelved(db: -dose, aboveHz: 2000))
    case .smeared: return smeared(right, ms: dose, &random)
    case .doubled:
      let gain = Float(pow(10, dose / 20))
      let copy = right.delayed(by: { _ in 0.030 })
      return right.added(Signal(copy.samples.map { gain * $0 }, sampleRateHz: copy.sampleRateHz))
    case .softer:
      return Signal(
        right.samples.map { $0 * Float(pow(10, -dose / 20)) }, sampleRateHz: right.sampleRateHz)
    }
  }

  private func sung(raisedBy semitones: Double) throws -> Signal {
    guard case .intervals(let intervals) = score.score.form else { return ideal }
    let other = ResolvedScore(
      Score(id: "other", intervalsSemitones: intervals.map { $0 + semitones }), lead: score.lead)
    return cut(try Oracle(performance, other, sampleRateHz: heard.sampleRateHz).stems[0].signal)
  }

  /// The same voice whose pitch comes later while all else stays where it is.
  private func lagging(byMs ms: Double) throws -> Signal {
    let truth = oracle.stems[0].truth
    let late = Int(ms / 1000 * truth.sampleRateHz)
    let step = Int(truth.sampleRateHz / 1000)
    let targets = stride(from: 0, to: truth.f0Hz.count, by: step).compactMap {
      now -> PitchTarget? in
      guard truth.f0Hz[now] > 0 else { return nil }
      // A note begins with its first pitch.
      let before = max(0, now - late)
      let hz = truth.f0Hz[before] > 0 ? truth.f0Hz[before] : truth.f0Hz[now]
      return PitchTarget(
        startSeconds: Double(now) / truth.sampleRateHz,
        pitchSemitones: NoteNumber(hz: hz).semitones, glideMs: 1)
    }
    let sung = try performance.sung(at: targets, keepingExpression: false)
      .render(sampleRateHz: heard.sampleRateHz)
    return cut(sung.signal)
  }

  /// The sound through a tail of noise that decays by 60 dB, as strong as the sound itself.
  private func smeared(
    _ sound: Signal, ms: Double, _ random: inout SeededGenerator
  ) -> Signal {
    let rate = sound.sampleRateHz
    let tail = (0..<Int(ms / 1000 * rate)).map { n in
      Float((2 * random.uniform() - 1) * pow(10, -3 * Double(n) / (ms / 1000 * rate)))
    }
    let scale = Float(1 / max(1e-9, tail.reduce(0.0) { $0 + Double($1 * $1) }.squareRoot()))
    let size = powerOfTwo(above: sound.count + tail.count)
    var a = FourierTransform(count: size)
    var b = FourierTransform(count: size)
    let silence = [Float](repeating: 0, count: size)
    let dry = sound.samples + silence.dropFirst(sound.count)
    let room = tail.map { $0 * scale } + silence.dropFirst(tail.count)
    a.forward(dry.span)
    b.forward(room.span)
    do {
      var spectrum = a.spectrum
      for bin in 0..<spectrum.count {
        let (x, y) = (spectrum[bin], b[bin])
        spectrum[bin] = ComplexFloat(
          (x.re * y.re - x.im * y.im) / Float(size), (x.re * y.im + x.im * y.re) / Float(size))
      }
    }
    a.inverse()
    let wet = a.samples
    return Signal(sound.samples.indices.map { sound.samples[$0] + wet[$0] }, sampleRateHz: rate)
  }

  // MARK: Measuring

  func figures(
    of sound: Signal, latencyMs: Double = 0, measuring metrics: [Metric]
  ) -> Rung.Figures {
    let observation = Observation(
      recording, score: score,
      rendering: Rendering(
        mix: sound, stems: [sound], reportedLatencyMs: latencyMs, cpuSeconds: 0),
      heard: heard, oracle: oracle, leadSound: leadSound)
    var figures = Rung.Figures(latencyMs: latencyMs, values: [:])
    for metric in metrics {
      let outcome = metric.measure(observation).first?.outcome
      let value: Double? = if case .value(let value)? = outcome { value } else { nil }
      figures.values.updateValue(value, forKey: metric.id)
    }
    return figures
  }
}
