import Analyzer
import Corpus
import DSP
import Foundation
import Music
import Platform
import Statistics
import Subjects

/// Measures how a subject follows a lead that steps, a live command, a control that turns, and vibrato.
enum ControlProbe {
  private static let rateHz = 48_000.0
  private static let times = [1.0, 2, 3, 4]

  static func stepFindings(_ bench: ProbeBench) -> [ProbeFinding] {
    lead(bench) + command(bench) + control(bench)
  }

  /// Measures steps of the lead: from 220 Hz up four semitones, and back.
  private static func lead(_ bench: ProbeBench) -> [ProbeFinding] {
    let sound = ProbeSounds.steps(
      hz: 220, semitones: 4, atSeconds: times, seconds: 5, sampleRateHz: rateHz)
    let ratio = bench.takesIntervals ? exp2(3.0 / 12) : 1
    do {
      let output = try bench.render(sound, bench.followingScore(noteHz: 220, semitones: 3)).mix
      return ProbeFinding.steps(
        of: output, "lead", times: times, fromHz: 220 * ratio, toHz: 220 * exp2(4.0 / 12) * ratio)
    } catch { return [.undefined(.step, "lead", error)] }
  }

  /// Measures a key change by the player while the lead stays at 220 Hz.
  private static func command(_ bench: ProbeBench) -> [ProbeFinding] {
    let sound = ProbeSounds.steady(hz: 220, seconds: 5, sampleRateHz: rateHz)
    let keys = [NoteNumber(60), NoteNumber(64)]
    var actions = [NoteAction(atSeconds: 0, press: [keys[0]])]
    for (index, time) in times.enumerated() {
      actions.append(
        NoteAction(
          atSeconds: time, press: [keys[(index + 1) % 2]], release: [keys[index % 2]]))
    }
    let score = Score(id: "probe", .notes(actions))
    do {
      try bench.subject.validate(bench.settings, for: score)
      let output = try bench.render(sound, bench.resolved(score, noteHz: 220)).mix
      return ProbeFinding.steps(
        of: output, "command", times: times, fromHz: keys[0].hz, toHz: keys[1].hz)
    } catch { return [.undefined(.step, "command", error)] }
  }

  /// Measures a plugin whose host turns the pitch by four semitones and back, under a steady lead.
  private static func control(_ bench: ProbeBench) -> [ProbeFinding] {
    guard bench.takesIntervals, bench.subject is PluginSubject else { return [] }
    let sound = ProbeSounds.steady(hz: 220, seconds: 5, sampleRateHz: rateHz)
    let scores = [0.0, 4].map { bench.score(noteHz: 220, semitones: $0) }
    let turns = times.enumerated().map { (atSeconds: $1, score: scores[($0 + 1) % 2]) }
    do {
      let output = try bench.render(sound, scores[0], turningTo: turns).mix
      let (fromHz, toHz) = (220.0, 220 * exp2(4.0 / 12))
      let track = PitchTracker.standard.track(output)
      let turned = track.f0Hz.enumerated()
        .filter { 1.5..<2 ~= Double($0.offset) * track.hopSeconds && $0.element > 0 }
        .map(\.element)
      if let pitch = Statistics.median(turned), abs(1200 * log2(pitch / fromHz)) < 50 {
        return [
          ProbeFinding(
            .step, "control", 0, "semitones", .poor,
            "ignores its controls while it runs: the host turned the pitch by 4 semitones, and it "
              + "stayed")
        ]
      }
      return ProbeFinding.steps(of: output, "control", times: times, fromHz: fromHz, toHz: toHz)
    } catch { return [.undefined(.step, "control", error)] }
  }

  static func vibratoFindings(_ bench: ProbeBench) -> [ProbeFinding] {
    let probe = ModulationProbe()
    let sound = probe.signal(sampleRateHz: rateHz)
    do {
      let output = try bench.render(sound, bench.followingScore(noteHz: 220, semitones: 4)).mix
      return vibratoFindings(of: output, from: sound, probe)
    } catch { return [.undefined(.vibrato, "gain", error)] }
  }

  /// Returns how an output follows the vibrato of a probe.
  static func vibratoFindings(
    of output: Signal, from sound: Signal, _ probe: ModulationProbe
  ) -> [ProbeFinding] {
    do {
      let tracker = PitchTracker.standard
      let response = try ModulationResponse(of: tracker.track(output), to: probe)
      // The pitch tracker's own response to the probe, to be divided out.
      let judged = try ModulationResponse(of: tracker.track(sound), to: probe)
      guard let out = response.gain(atHz: 5.5), let own = judged.gain(atHz: 5.5), own > 0.1 else {
        return [.undefined(.vibrato, "gain", "the pitch tracker misses a vibrato of 5.5 Hz")]
      }
      let gain = out / own
      let words =
        switch gain {
        case 0.9...1.1: "a vibrato of 5.5 Hz keeps its depth"
        case ..<0.1: "a vibrato of 5.5 Hz is removed"
        case ..<0.9: "a vibrato of 5.5 Hz is \(fixed(100 - 100 * gain, 0)) % shallower"
        default: "a vibrato of 5.5 Hz is \(fixed(100 * gain - 100, 0)) % deeper"
        }
      var findings = [
        ProbeFinding(.vibrato, "gain", gain, "ratio", .measured, words),
        ProbeFinding(
          .vibrato, "distortion", hypot(response.evenDistortionCents, response.oddDistortionCents),
          "cents", .measured,
          "periodic pitch swing that the input does not have, beside "
            + "\(fixed(response.linearCents)) cents that it has"),
        ProbeFinding(
          .vibrato, "unrest", response.randomCents, "cents", .measured,
          "pitch swing that differs from period to period"),
      ]
      if gain >= 0.3, let delay = response.delayMs(), let ownDelay = judged.delayMs() {
        findings.append(
          ProbeFinding(
            .vibrato, "delay", delay - ownDelay, "ms", .measured,
            "for swings up to 10 Hz, less the pitch tracker's own delay"))
      } else {
        findings.append(.undefined(.vibrato, "delay", "less than 30 % of the vibrato comes out"))
      }
      return findings
    } catch { return [.undefined(.vibrato, "gain", error)] }
  }
}
