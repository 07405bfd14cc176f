import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Metrics
import Probes
import Reporting
import Subjects

struct HuntCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hunt",
    abstract: "Search for audible faults of a harmonizer, and shrink each to a short sound.",
    discussion: """
      Use it before a release, for faults that no recording of the corpus shows. It sings \
      short performances of the synthetic singer to the subject, looks for octave slips, wrong \
      and mistuned notes, dropouts, clicks, late onsets, moved formants and cost spikes that two \
      judges agree on, and searches on near the worst. Then it shrinks each fault to the simplest \
      sound that still shows it and writes a page and recipes that play it again to the bit.

        choir-eval hunt psola
        choir-eval hunt mine.yaml --metric clicks.count --minutes 10
        choir-eval hunt delayline --vary windowMs=10..60 --output Reports/hunt
        choir-eval hunt --replay Reports/hunt-psola/recipe-1.yaml

      The subject has to sing at an interval from the lead.

      Exit codes: 0 hunted, or with --replay the fault is gone; 1 with --replay the fault is still \
      there; 2 the subject can't be used; 64 misuse; 130 interrupted by Ctrl-C.
      """)

  @Argument(help: .subject, completion: .subjects) var subject: String?
  @Option(help: "Setting of the subject, NAME=VALUE; repeatable.") var set: [String] = []
  @Option(help: "Setting to hunt over, NAME=LOW..HIGH or NAME=VALUE,VALUE; repeatable.")
  var vary: [String] = []
  @Option(
    help: "Metric or family of metrics whose faults to look for; default: faults of any kind.",
    completion: .metrics)
  var metric: String?
  @Option(
    help: "Time of the search, without shrinking; default: 2, or with --sounds no limit.",
    in: 0.05...1440)
  var minutes: Double?
  @Option(
    help: "Sounds after which the search ends, for equal hunts on any machine.", in: 1...1_000_000)
  var sounds: Int?
  @Option(help: "Seed of the search.", in: Bounds.seed) var seed: UInt64 = 1
  @Option(help: "Sounds to judge in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Option(
    help: "Folder of the page and the recipes. Default: Reports/hunt-SUBJECT.",
    completion: .directory)
  var output: String?
  @Option(help: "Recipe to play again.", completion: .yaml) var replay: String?
  @OptionGroup var place: CorpusOption
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if replay != nil {
      guard subject == nil, set.isEmpty, vary.isEmpty, metric == nil else {
        throw ValidationError(
          "--replay takes subject, settings and metric from the recipe; leave them out.")
      }
      guard minutes == nil, sounds == nil, output == nil, !json else {
        throw ValidationError(
          "--replay plays one sound and prints text; leave --minutes, --sounds, --output and --json "
            + "out.")
      }
      return
    }
    guard subject != nil else {
      throw ValidationError("no subject; name one, or --replay RECIPE. See choir-eval subjects.")
    }
    _ = try (settings(), axes(), kinds())
  }

  func run() async throws {
    if let replay { return try replayed(replay) }
    let tested = try Subjects.subject(id: subject!, in: place.subjects)
    for warning in tested.warnings { Terminal.printError("warning: \(warning)") }
    let chosen = try settings()
    for axis in try axes() {
      try refuseStrangeValues(axis.values.ends, of: axis.name, tested, beside: chosen)
    }
    Terminal.stage("listening to plain performances")
    let bench = try HuntBench(tested, settings: chosen, kinds: kinds(), axes: axes())
    let (result, stopped) = try await hunted(bench)
    let folder = URL(fileURLWithPath: output ?? "Reports/hunt-\(Self.slug(subject!))")
    let page = HuntPage(result, folder: folder.relativePath, options: place.words)
    // A page that can't be written must not lose hours of search.
    let report = Result { try page.page() }
    let text = try? PageText.text(report.get()) + "\n\npage: \(page.folder)/index.html"
    print(try text.flatMap { json ? nil : $0 } ?? JSON.text(result))
    Terminal.stage("writing the page")
    try ReportWriter().write(report.get(), to: folder)
    if let stopped { throw ExitCode(stopped) }
  }

  /// Hunts until the limit or a signal; returns the exit code of the signal, if there was one.
  private func hunted(_ bench: HuntBench) async throws -> (HuntResult, stopped: Int32?) {
    var search = Hunt.Settings()
    (search.seed, search.maxSounds) = (seed, sounds)
    // A hunt by sounds must not depend on how fast the machine is.
    search.seconds = minutes.map { $0 * 60 } ?? (sounds == nil ? 120 : nil)
    search.jobs = jobs
    let (hunt, settings) = (Hunt(bench, search), search)
    let work = Task {
      let progress = HuntProgress(settings)
      let caught = await hunt.search { progress.show($0) }
      progress.end()
      let findings = await hunt.findings(in: caught) { Terminal.stage("shrinking \($0.rawValue)") }
      return (caught, findings)
    }
    let (caught, findings) = await Interruption.shared.watching(
      "finishing the sounds in work; what was found is kept", then: { work.cancel() },
      { await work.value })
    let result = try HuntResult(
      subject: subject!, bench: bench, seed: seed, caught: caught, findings: findings,
      command: "choir-eval " + ShellWords.line(words))
    return (result, Interruption.shared.exitCode)
  }

  /// The words of this command.
  private var words: [String] {
    var words = ["hunt", subject ?? ""]
    for one in set { words += ["--set", one] }
    for one in vary { words += ["--vary", one] }
    if let metric { words += ["--metric", metric] }
    words += ["--seed", "\(seed)"]
    if let minutes { words += ["--minutes", minutes.typed] }
    if let sounds { words += ["--sounds", "\(sounds)"] }
    return words + place.words
  }

  // MARK: Replaying

  private func replayed(_ path: String) throws {
    let recipe = try HuntRecipe(reading: URL(fileURLWithPath: path))
    let tested = try Subjects.subject(id: recipe.subject, in: place.subjects)
    let replay = try HuntReplay(recipe, by: tested)
    print(HuntText.text(replay))
    if replay.now != nil { throw ExitCode(1) }
  }

  // MARK: Reading

  private static func slug(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    return String(
      (last.hasSuffix(".yaml") ? String(last.dropLast(5)) : last).map {
        $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-"
      })
  }

  private func settings() throws -> SubjectSettings { try NamedValues.settings(set, of: "--set") }

  private func kinds() throws -> Set<FaultKind> {
    guard let metric else { return Set(FaultKind.allCases) }
    let kinds = FaultKind.measured(by: metric)
    guard !kinds.isEmpty else {
      let names = FaultKind.allCases.compactMap(\.metric).joined(separator: ", ")
      throw ValidationError("--metric is '\(metric)', which no hunt judges by; choose \(names).")
    }
    return Set(kinds + [.failure])
  }

  private func axes() throws -> [HuntSpace.Axis] {
    try vary.map { text in
      let (name, values) = try NamedValues.halves(
        text, of: "--vary", form: "NAME=LOW..HIGH or NAME=VALUE,VALUE")
      let ends = values.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard ends.count == 2 else {
        return HuntSpace.Axis(name, .choices(values.split(separator: ",").map(NamedValues.value)))
      }
      guard let low = Double(ends[0]), let high = Double(ends[1]), low.isFinite, high.isFinite,
        low < high
      else {
        throw ValidationError("--vary is '\(text)'; write two rising numbers, such as 5..60.")
      }
      return HuntSpace.Axis(name, .range(low...high))
    }
  }
}
