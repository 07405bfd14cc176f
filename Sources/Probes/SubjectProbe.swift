import Corpus
import Cost
import DSP
import Files
import Foundation
import Subjects

/// All that can be found out about one subject without any recording.
public struct SubjectProbe: Encodable, Sendable {
  public var schema = "choir-eval.probe/1"
  public let subject: String
  public let version: String
  public let settings: SubjectSettings
  public private(set) var findings: [ProbeFinding] = []
  public private(set) var latency: [LatencyProbe.Row] = []
  public private(set) var cost: CostProfile?
  public private(set) var counted: CountedCost?

  /// - Parameters:
  ///   - aspects: what to look at, in that order.
  ///   - vary: values of settings to measure the latency at.
  ///   - itself: arguments of this program that make it process a number of seconds of sound.
  ///   - counting: whether to count instructions and allocations.
  ///   - report: told before each aspect.
  public init(
    of bench: ProbeBench, aspects: [ProbeFinding.Aspect] = ProbeFinding.Aspect.allCases,
    vary: [String: [SettingValue]] = [:], itself: [String], counting: Bool = false,
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
      case .step: findings += ControlProbe.stepFindings(bench)
      case .vibrato: findings += ControlProbe.vibratoFindings(bench)
      case .identity: findings += IdentityProbe.findings(bench)
      case .robustness: findings += RobustnessProbe.findings(bench)
      case .cost: try addCost(bench, itself, counting: counting)
      }
    }
  }

  private mutating func addCost(
    _ bench: ProbeBench, _ itself: [String], counting: Bool
  ) throws {
    let voice = try ProbeSounds.voice(sampleRateHz: 48_000)
    do {
      let cost = try CostProfile(of: bench, singing: voice)
      self.cost = cost
      findings += CostFindings.all(of: cost) + [Self.memory(bench, voice)]
    } catch {
      findings.append(.undefined(.cost, "blocks", "\(error)"))
      do {
        let rendering = try bench.render(voice, bench.score(noteHz: 220, semitones: 4))
        findings.append(
          rendering.cpuSeconds.map { cpuSeconds in
            ProbeFinding(
              .cost, "realtime_factor", cpuSeconds / voice.durationSeconds, "ratio", .measured,
              "time on all cores over the time of the sound, the program's start included")
          } ?? .undefined(.cost, "realtime_factor", "the sounds were rendered elsewhere"))
      } catch { findings.append(.undefined(.cost, "realtime_factor", "\(error)")) }
    }
    guard counting else { return }
    guard bench.live != nil else {
      return findings.append(
        .undefined(.cost, "instructions", "a program of somebody else's is not counted"))
    }
    let counted = try CountedCost(running: itself)
    self.counted = counted
    findings += CostFindings.all(of: counted)
  }

  /// As sweeps with careful costs count it.
  private static func memory(_ bench: ProbeBench, _ voice: Signal) -> ProbeFinding {
    guard let live = bench.live else {
      return .undefined(.cost, "memory", "runs in a process of its own")
    }
    let second = Signal(Array(voice.samples.prefix(48_000)), sampleRateHz: voice.sampleRateHz)
    let counted = Result {
      try BlockCost(
        of: live, singing: bench.usualScore, of: second, settings: bench.settings, counting: true
      ).peakMemoryMB
    }
    switch counted {
    case .success(let mb?):
      return ProbeFinding(
        .cost, "memory", mb, "MB", .measured,
        "most held on the heap at once, its making included")
    case .success(nil):
      return .undefined(.cost, "memory", "this build's allocations can't be seen")
    case .failure(let error): return .undefined(.cost, "memory", "\(error)")
    }
  }
}

/// The costs in words.
enum CostFindings {
  static func all(of cost: CostProfile) -> [ProbeFinding] {
    var findings = [
      ProbeFinding(
        .cost, "realtime_factor", cost.realtimeFactor, "ratio", .measured,
        "takes \(fixed(cost.realtimeFactor * 100, 2)) % of a core for one voice")
    ]
    for spread in cost.spreads {
      let late = fixed(spread.missedShare * 100, 2)
      findings.append(
        ProbeFinding(
          .cost, "block.\(spread.blockSize).\(spread.pace.rawValue)", spread.maxShare * 100, "%",
          spread.maxShare < 1 ? .good : .poor,
          "at most, of the time there is; usually \(fixed(spread.p50Share * 100, 2)) %; "
            + "late by the clock \(late) % of \(spread.blocks) blocks"))
    }
    findings += [
      ProbeFinding(
        .cost, "first_block", cost.firstBlockMs, "ms", .measured, "the first block after the start"),
      ProbeFinding(
        .cost, "silence", cost.silenceRatio, "ratio", cost.silenceRatio <= 1.1 ? .good : .poor,
        cost.silenceRatio <= 1.1
          ? "silence after sound costs no more than sound"
          : "silence after sound costs \(fixed(cost.silenceRatio)) times as much as sound"),
      ProbeFinding(
        .cost, "making", cost.makingMs, "ms", .measured, "time on a core before it can begin"),
    ]
    if let per = cost.perVoiceRealtimeFactor, let last = cost.voices.last {
      findings.append(
        ProbeFinding(
          .cost, "voices", per, "ratio", .measured,
          "each further voice takes \(fixed(per * 100, 3)) % of a core; \(last.voices) voices "
            + "take \(fixed(last.realtimeFactor * 100, 2)) %"))
    }
    if let dearest = cost.effects.max(by: { $0.realtimeFactor < $1.realtimeFactor }) {
      findings.append(
        ProbeFinding(
          .cost, "effects", dearest.realtimeFactor, "ratio", .measured,
          "the dearest effect, \(dearest.effect), adds \(fixed(dearest.realtimeFactor * 100, 2)) % "
            + "of a core"))
    }
    return findings
  }

  static func all(of counted: CountedCost) -> [ProbeFinding] {
    [
      ProbeFinding(
        .cost, "instructions", counted.instructionsPerSecond, "1/s", .measured,
        "takes \(fixed(counted.instructionsPerSecond / 1e6)) million for a second of sound"),
      ProbeFinding(
        .cost, "allocations", counted.allocationsPerSecond, "1/s",
        counted.allocationsPerSecond == 0 ? .good : .poor,
        counted.allocationsPerSecond == 0
          ? "none while sound runs"
          : "has \(fixed(counted.allocationsPerSecond, 0)) for a second of sound"),
    ]
  }
}

extension ProbeBench {
  /// Some sound through a live subject and nothing else, for whoever counts from outside; of 0 s
  /// not even the making. `InstructionCount` counts by its name.
  @inline(never) public func run(seconds: Double) throws {
    guard let live else {
      throw SubjectError.settings(subject: subject.id, problem: "can't be counted from outside")
    }
    guard seconds > 0 else { return }
    let blockSize = settings.blockSize
    let sound = ProbeSounds.steady(hz: 220, seconds: 1, sampleRateHz: 48_000)
    let working = try live.start(
      score(noteHz: 220, semitones: 4), settings: settings, sampleRateHz: 48_000)
    var output = [Float](repeating: 0, count: blockSize)
    var start = 0
    for _ in 0..<Int(seconds * 48_000) / blockSize {
      if start + blockSize > sound.count { start = 0 }
      var target = output.mutableSpan
      working.process(sound.samples.span.extracting(start..<start + blockSize), into: &target)
      start += blockSize
    }
  }
}
