import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Subjects

/// Everything that can be measured of one subject without recordings.
public struct SubjectProbe: Encodable, Sendable {
  public var schema = "choir-eval.probe/1"
  public let subject: String
  public let version: String
  public let settings: SubjectSettings
  public private(set) var findings: [ProbeFinding] = []
  public private(set) var latency: [LatencyProbe.Row] = []
  /// Third octaves of an effect.
  public private(set) var response: [EffectProbe.Row] = []
  public private(set) var cost: CostProfile?

  /// - Parameters:
  ///   - aspects: what to probe, in this order.
  ///   - twin: what the aspect `equivalence` compares with, in place of the subject itself.
  ///   - soakMinutes: length of the sound of the aspect `soak`.
  ///   - vary: values of settings at which to measure the latency.
  ///   - report: called before each aspect.
  public init(
    of bench: ProbeBench, aspects: [ProbeFinding.Aspect] = ProbeFinding.Aspect.short,
    against twin: ProbeBench? = nil, soakMinutes: Double = 10,
    vary: [String: [SettingValue]] = [:],
    report: (ProbeFinding.Aspect) -> Void = { _ in }
  ) throws {
    (subject, version, settings) = (bench.subject.id, bench.subject.version, bench.settings)
    for aspect in aspects {
      report(aspect)
      switch aspect {
      case .latency:
        let probe = LatencyProbe(of: bench, vary: vary)
        latency = probe.rows
        findings += probe.findings
      case .voices: findings += VoicesProbe.findings(bench)
      case .step: findings += ControlProbe.stepFindings(bench)
      case .vibrato: findings += ControlProbe.vibratoFindings(bench)
      case .identity: findings += IdentityProbe.findings(bench)
      case .equivalence:
        findings +=
          twin.map { EquivalenceProbe.findings(bench, against: $0) }
          ?? EquivalenceProbe.findings(bench)
      case .robustness: findings += RobustnessTrial.findings(of: bench)
      case .effect:
        let probe = EffectProbe(of: bench)
        response = probe.rows
        findings += probe.findings
      case .soak: findings += SoakProbe.findings(bench, minutes: soakMinutes)
      case .cost: try addCost(bench)
      }
    }
  }

  private mutating func addCost(_ bench: ProbeBench) throws {
    let voice = try ProbeSounds.voice(sampleRateHz: 48_000)
    do {
      let cost = try CostProfile(of: bench, singing: voice)
      self.cost = cost
      findings += CostFindings.all(of: cost)
    } catch {
      findings.append(.undefined(.cost, "blocks", error))
      do {
        let rendering = try bench.render(voice, bench.score(noteHz: 220, semitones: 4))
        findings.append(
          rendering.cpuSeconds.map { cpuSeconds in
            ProbeFinding(
              .cost, "realtime_factor", cpuSeconds / voice.durationSeconds, "ratio", .measured,
              "processor time per second of sound, including the program's start")
          } ?? .undefined(.cost, "realtime_factor", "the sounds were rendered by another program"))
      } catch { findings.append(.undefined(.cost, "realtime_factor", error)) }
    }
  }
}

/// Converts costs to findings.
enum CostFindings {
  static func all(of cost: CostProfile) -> [ProbeFinding] {
    var findings = [
      ProbeFinding(
        .cost, "realtime_factor", cost.realtimeFactor, "ratio", .measured,
        "\(fixed(cost.realtimeFactor * 100, 2)) % of a core for one voice")
    ]
    for spread in cost.spreads {
      let late = fixed(spread.missedShare * 100, 2)
      findings.append(
        ProbeFinding(
          .cost, "block.\(spread.blockSize).\(spread.pace.rawValue)", spread.maxShare * 100, "%",
          spread.maxShare < 1 ? .good : .poor,
          "worst block, as a share of its duration; median \(fixed(spread.p50Share * 100, 2)) %; "
            + "\(late) % of \(spread.blocks) blocks were late by the clock"))
    }
    findings += [
      ProbeFinding(
        .cost, "first_block", cost.firstBlockMs, "ms", .measured, "first block after the start"),
      ProbeFinding(
        .cost, "silence", cost.silenceRatio, "ratio", cost.silenceRatio <= 1.1 ? .good : .poor,
        cost.silenceRatio <= 1.1
          ? "silence after sound costs no more than sound"
          : "silence after sound costs \(fixed(cost.silenceRatio)) times as much as sound"),
      cost.peakMemoryMB.map {
        ProbeFinding(
          .cost, "memory", $0, "MB", .measured, "peak heap memory, including construction")
      }
        ?? .undefined(
          .cost, "memory", "it runs in a process of its own, or this build can't count allocations"),
      ProbeFinding(
        .cost, "making", cost.makingMs, "ms", .measured, "processor time to construct it"),
    ]
    if let per = cost.perVoiceRealtimeFactor, let last = cost.voices.last {
      findings.append(
        ProbeFinding(
          .cost, "voices", per, "ratio", .measured,
          "each further voice adds \(fixed(per * 100, 3)) % of a core; \(last.voices) voices "
            + "take \(fixed(last.realtimeFactor * 100, 2)) %"))
    }
    if let dearest = cost.effects.max(by: { $0.realtimeFactor < $1.realtimeFactor }) {
      findings.append(
        ProbeFinding(
          .cost, "effects", dearest.realtimeFactor, "ratio", .measured,
          "the costliest effect, \(dearest.effect), adds "
            + "\(fixed(dearest.realtimeFactor * 100, 2)) % of a core"))
    }
    return findings
  }
}
