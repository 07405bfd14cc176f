import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Metrics
import Probes
import Subjects

struct Probe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Probe one subject: latency, voices, steps, vibrato, identity, robustness, cost.",
    discussion: """
      Use it for a first look at a harmonizer, without recordings: it processes tones, steps, \
      impulses, bad samples and the synthetic singer.

        choir-eval probe psola
        choir-eval probe reference --set engine=delayline --only latency
        choir-eval probe reference --only latency --vary engine=delayline,psola
        choir-eval probe autotuner --set retuneMs=5 --only step,vibrato
        choir-eval probe sox-pitch --json
        choir-eval probe reference --only cost --cost instructions

      Exit codes: 0 probed; 1 a verdict is poor, with --strict; 2 nothing could be measured; 64 \
      misuse.
      """)

  enum Counting: String, ExpressibleByArgument, CaseIterable { case time, instructions }

  @Argument(help: .subject, completion: .subjects) var subject: String
  @Option(help: "Setting of the subject, NAME=VALUE; repeatable.") var set: [String] = []
  @Option(help: "Values of a setting to measure the latency at, NAME=VALUE,VALUE; repeatable.")
  var vary: [String] = []
  @Option(
    help: """
      Aspects to probe, comma-separated: latency, voices, step, vibrato, identity, robustness, cost.
      """)
  var only: String?
  @Option(
    help: "Measure of cost: time, or instructions, which also counts allocations (valgrind).")
  var cost = Counting.time
  @OptionGroup var places: StoreOptions
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness
  @Flag(help: "Exit with 1 if a verdict is poor.") var strict = false
  @Option(help: .hidden, in: Bounds.seconds) var runSeconds: Double?
  /// Answers another choir-eval, which compares costs with this one (`ProgramRounds`).
  @Flag(help: .hidden) var costRounds = false

  func validate() throws {
    _ = try settings()
    for (name, values) in try variations() where values.isEmpty {
      throw ValidationError("--vary \(name) has no values; write NAME=VALUE,VALUE.")
    }
    let chosen = try aspects()
    if !vary.isEmpty, !chosen.contains(.latency) {
      throw ValidationError(
        "--vary varies the latency, which --only leaves out; add latency, or leave --vary out.")
    }
    if cost == .instructions, !chosen.contains(.cost) {
      throw ValidationError(
        "--cost is for the aspect cost, which --only leaves out; add cost, or leave --cost out.")
    }
  }

  func run() throws {
    let folder = places.corpusFolder.appendingPathComponent("subjects")
    let bench = try bench(of: Subjects.subject(id: subject, in: folder))
    if let runSeconds { return try bench.run(seconds: runSeconds) }
    if costRounds { return try ProgramRounds.answer(by: bench.costRounds()) }
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
      of: bench, aspects: aspects, vary: variations(),
      itself: itself(subject), counting: cost == .instructions
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
    do { return try ProbeBench(subject, settings: settings()) } catch let error as SubjectError {
      guard !set.isEmpty, (try? ProbeBench(subject)) != nil else { throw error }
      throw ValidationError("--set \(set.joined(separator: " --set ")): \(error)")
    }
  }

  /// Arguments of this command that only process sound; the number of seconds follows them.
  private func itself(_ subject: String) -> [String] {
    ["probe", subject] + set.flatMap { ["--set", $0] } + ["--corpus", places.corpus]
      + ["--run-seconds"]
  }

  private func settings() throws -> SubjectSettings { try Self.settings(set, of: "--set") }

  /// Reads settings from words `NAME=VALUE`; the last value of a name counts.
  static func settings(_ words: [String], of flag: String) throws -> SubjectSettings {
    var settings: SubjectSettings = [:]
    for text in words {
      let (name, value) = try halves(text, of: flag)
      settings[name] = Self.value(value)
    }
    return settings
  }

  private func variations() throws -> [String: [SettingValue]] {
    var variations: [String: [SettingValue]] = [:]
    for text in vary {
      let (name, values) = try Self.halves(text, of: "--vary")
      variations[name] = values.split(separator: ",").map { Self.value(String($0)) }
    }
    return variations
  }

  private static func value(_ text: String) -> SettingValue {
    Double(text).map(SettingValue.number) ?? .text(text)
  }

  private static func halves(_ text: String, of flag: String) throws -> (String, String) {
    guard let place = text.firstIndex(of: "="), place != text.startIndex else {
      throw ValidationError("\(flag) is '\(text)'; write NAME=VALUE.")
    }
    return (String(text[..<place]), String(text[text.index(after: place)...]))
  }

  private func aspects() throws -> [ProbeFinding.Aspect] {
    guard let only else { return ProbeFinding.Aspect.allCases }
    return try only.split(separator: ",").map { word in
      guard let aspect = ProbeFinding.Aspect(rawValue: String(word)) else {
        let all = ProbeFinding.Aspect.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--only has '\(word)'; choose among \(all).")
      }
      return aspect
    }
  }
}
