import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Metrics
import Platform
import Probes
import Subjects

struct Probe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Probe one subject: latency, voices, steps, identity, equivalence, robustness, cost.",
    discussion: """
      Use it for a first look at a harmonizer, without recordings: it processes tones, steps, \
      impulses, bad samples and the synthetic singer.

        choir-eval probe psola
        choir-eval probe reference --set engine=delayline --only latency
        choir-eval probe reference --only latency --vary engine=delayline,psola
        choir-eval probe autotuner --set retuneMs=5 --only step,vibrato
        choir-eval probe sox-pitch --json
        choir-eval probe psola --soak 10
        choir-eval probe my-reverb.yaml --only effect
        choir-eval probe reference --only cost
        choir-eval probe reference --only cost --set engine=psola --baseline engine=delayline
        choir-eval probe reference --only cost --baseline ~/released/choir-eval
        choir-eval probe my-clap.yaml --only equivalence --baseline my-lv2.yaml

      With --baseline and --only cost it measures both costs alternately and judges their ratio; with \
      --only equivalence it compares the sound sample by sample.

      Exit codes: 0 probed; 1 it costs more than the baseline, confirmed by a second trial, or with \
      --strict a verdict is poor; 2 nothing could be measured; 64 misuse.
      """)

  @Argument(help: .subject, completion: .subjects) var subject: String
  @Option(help: "Setting of the subject, NAME=VALUE; repeatable.") var set: [String] = []
  @Option(help: "Values of a setting to measure the latency at, NAME=VALUE,VALUE; repeatable.")
  var vary: [String] = []
  @Option(
    help: """
      Aspects to probe, comma-separated: latency, voices, step, vibrato, identity, equivalence, \
      robustness, cost, effect.
      """)
  var only: String?
  @Option(
    help: """
      What to compare the cost with: other settings NAME=VALUE (repeatable), another subject, or \
      another choir-eval program, by a path. With --only equivalence: the subject to compare the sound with.
      """, completion: .subjects)
  var baseline: [String] = []
  @Option(
    help: "Play this many minutes of sound and find what drifts, and probe nothing else.",
    in: 0.5...1440) var soak: Double?
  @OptionGroup var place: CorpusOption
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness
  @Flag(help: "Exit with 1 if a verdict is poor.") var strict = false
  /// Answers another choir-eval, which compares costs with this one (`ProgramRounds`).
  @Flag(help: .hidden) var costRounds = false

  func validate() throws {
    _ = try settings()
    if soak != nil, only != nil {
      throw ValidationError("--soak probes nothing else; leave out --only, or probe twice.")
    }
    for (name, values) in try variations() where values.isEmpty {
      throw ValidationError("--vary \(name) has no values; write NAME=VALUE,VALUE.")
    }
    let chosen = try aspects()
    if !vary.isEmpty, !chosen.contains(.latency) {
      throw ValidationError(
        "--vary varies the latency, which --only leaves out; add latency, or leave --vary out.")
    }
    guard !baseline.isEmpty else { return }
    guard chosen == [.cost] || isOfTwins else {
      throw ValidationError(
        "--baseline compares the cost or the sound with one other; add --only cost or --only "
          + "equivalence.")
    }
    if baseline.count > 1 { _ = try NamedValues.settings(baseline, of: "--baseline") }
  }

  func run() throws {
    let bench = try bench(of: Subjects.subject(id: subject, in: place.subjects))
    if costRounds { return try ProgramRounds.answer(by: bench.costRounds()) }
    if !baseline.isEmpty, !isOfTwins { return try compareCost(of: bench) }
    for warning in bench.subject.warnings { Terminal.printError("warning: \(warning)") }
    // Tries one sound first, so that a subject that can't run is one line, not one for each figure.
    if let refusal = bench.refusal {
      Terminal.printError("\(subject): nothing could be measured: \(refusal)")
      throw ExitCode(2)
    }
    for (name, values) in try variations() {
      try refuseStrangeValues(values, of: name, bench.subject, beside: bench.settings)
    }
    let aspects = try aspects()
    var bar = ProgressBar(total: aspects.count)
    let probe = try SubjectProbe(
      of: bench, aspects: aspects, against: twin(), soakMinutes: soak ?? 10, vary: variations()
    ) { bar.advance(to: $0.rawValue) }
    print(json ? try JSON.text(probe) : ProbeText.text(probe))
    guard probe.findings.contains(where: { $0.verdict != .undefined }) else {
      Terminal.printError("\(subject): nothing could be measured; see the reasons in the table")
      throw ExitCode(2)
    }
    if strict, probe.findings.contains(where: { $0.verdict == .poor }) { throw ExitCode(1) }
  }

  /// Returns the subject's bench; a setting that the subject doesn't have is misuse.
  private func bench(of subject: any Subject) throws -> ProbeBench {
    do {
      return try ProbeBench(subject, settings: settings(), orEffect: only != nil || soak != nil)
    } catch let error as Refusal {
      guard !set.isEmpty, (try? ProbeBench(subject)) != nil else { throw error }
      throw ValidationError("--set \(set.joined(separator: " --set ")): \(error)")
    }
  }

  /// True to compare the sound of two subjects.
  private var isOfTwins: Bool {
    baseline.count == 1 && (try? aspects()) == [.equivalence]
  }

  private func twin() throws -> ProbeBench? {
    guard isOfTwins else { return nil }
    return try ProbeBench(Subjects.subject(id: baseline[0], in: place.subjects), orEffect: true)
  }

  private func settings() throws -> SubjectSettings {
    try NamedValues.settings(set, of: "--set")
  }

  private func variations() throws -> [String: [SettingValue]] {
    var variations: [String: [SettingValue]] = [:]
    for text in vary {
      let (name, values) = try NamedValues.halves(text, of: "--vary")
      variations[name] = values.split(separator: ",").map(NamedValues.value)
    }
    return variations
  }

  // MARK: Comparison of cost

  /// Compares the cost with that of the baseline, in alternating rounds.
  private func compareCost(of bench: ProbeBench) throws {
    let (own, folder) = (try settings(), place.folder)
    var (other, theirs): (any CostSide, SubjectSettings) = (
      try SubjectSide(subject, in: folder), own
    )
    var isProgram = false
    if baseline[0].contains("="), !BaselineSide.isProgram(baseline[0]) {
      theirs.merge(try NamedValues.settings(baseline, of: "--baseline")) { $1 }
    } else {
      isProgram = BaselineSide.isProgram(baseline[0])
      other = try BaselineSide.side(baseline[0], running: subject, in: folder)
    }
    let trial = CostTrial.Settings()
    // With another build both sides run in child processes, so that only the build differs.
    let comparison = try CostTrial(trial).compare(
      baseline: other.rounds(theirs),
      candidate: isProgram
        ? ProgramSide(SelfProcess.path, running: subject, in: folder).rounds(own)
        : bench.costRounds())
    print(
      try json
        ? JSON.text(
          [
            "schema": "choir-eval.cost/1", "subject": subject, "settings": trial,
            "found": comparison,
          ] as JSONObject)
        : comparison.text)
    if comparison.verdict == .regression { throw ExitCode(1) }
  }

  private func aspects() throws -> [ProbeFinding.Aspect] {
    if soak != nil { return [.soak] }
    guard let only else { return ProbeFinding.Aspect.short }
    return try only.split(separator: ",").map { word in
      guard let aspect = ProbeFinding.Aspect(rawValue: String(word)), aspect != .soak else {
        let all = ProbeFinding.Aspect.allCases.filter { $0 != .soak }.map(\.rawValue).joined(
          separator: ", ")
        throw ValidationError("--only has '\(word)'; choose among \(all).")
      }
      return aspect
    }
  }
}

/// Refuses values of --vary that a subject doesn't take, before anything is measured.
func refuseStrangeValues(
  _ values: [SettingValue], of name: String, _ subject: any Subject,
  beside settings: SubjectSettings
) throws {
  for value in values {
    let varied = settings.merging([name: value]) { $1 }
    do { _ = try ProbeBench(subject, settings: varied) } catch let error as Refusal {
      throw ValidationError("--vary \(name)=\(value): \(error)")
    }
  }
}
