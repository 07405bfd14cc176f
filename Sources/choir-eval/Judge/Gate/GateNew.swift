import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Platform
import Subjects

/// The gate: its test, which is what `gate` means without another word, and the files to begin with.
struct GateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Test a subject against its reviewed baseline, or another revision, and budgets.",
    discussion: """
      'new' writes the files of a gate once; from then on the gate's file is tested. \
      docs/guides/ci.md has a worked example.

        choir-eval gate new mine/mine.yaml --output mine
        choir-eval accept mine/gate.yaml --reason "first baseline"
        choir-eval gate mine/gate.yaml
        choir-eval help gate test                    the options of a test
      """,
    subcommands: [GateTest.self, GateNew.self], defaultSubcommand: GateTest.self)
}

/// Writes the plan, the gate and the CI job of a subject.
struct GateNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a plan, a gate and a CI job for a subject.",
    discussion: """
      The plan has short recordings that differ as much as possible. With the example's shifter, this \
      gate found changes of 5 cents and 1 ms in one voice (docs/notes/gate.md); 'accept' prints the \
      smallest changes that it finds in yours.

        choir-eval gate new mine/mine.yaml --output mine
        choir-eval gate new eval/mine.yaml --output eval --ci github --build "make shifter"

      Exit codes: 0 good; 2 the subject can't be read, or sings neither intervals nor a key; 64 misuse.
      """)

  /// A service whose job file is written.
  enum Service: String, CaseIterable, ExpressibleByArgument {
    case github, gitlab

    /// The example that the job is a copy of.
    var example: String {
      switch self {
      case .github: "examples/github-actions/gate.yml"
      case .gitlab: "examples/gitlab/.gitlab-ci.yml"
      }
    }
    /// Path from the top of the repository at which the service looks for it.
    var place: String { self == .github ? ".github/workflows/gate.yml" : ".gitlab-ci.yml" }
  }

  @Argument(help: .subject, completion: .subjects) var subject: String
  @Option(name: .shortAndLong, help: "Folder of the files.", completion: .directory)
  var output = "."
  @Option(help: "Service whose job is written too: github or gitlab; it needs --build.")
  var ci: Service?
  @Option(
    help: ArgumentHelp(
      "Shell command that builds the harmonizer in the top folder of its repository.",
      valueName: "command"))
  var build: String?
  @OptionGroup var place: CorpusOption
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    if let ci, build == nil {
      throw ValidationError(
        "--ci \(ci.rawValue) compares with the commit that a branch started from, which the job has to "
          + "build; add --build COMMAND.")
    }
  }

  func run() throws {
    let tested = try Subjects.subject(id: subject, in: place.subjects)
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    var texts = [
      (folder.appendingPathComponent("gate-plan.yaml").relativeToHere, try plan(of: tested)),
      (folder.appendingPathComponent("gate.yaml").relativeToHere, try gate()),
    ]
    if let ci { texts.append((ci.place, try job(ci))) }
    var files = OutputFiles(reading: [subject], force: overwriting.force)
    for (path, _) in texts { try files.claim(path) }
    for (path, text) in texts {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try WholeFile.write(text, to: path)
      print("wrote \(path)")
    }
    let words = ShellWords.line([texts[1].0] + place.words)
    print(
      """

      next, with the harmonizer that is good:
        choir-eval accept \(words) --reason "first baseline"
        choir-eval gate \(words)
      """)
  }

  // MARK: - Texts

  /// Short recordings, of men, women and a child, sung and spoken, of which the pitch, the words and the
  /// impulses of the processor itself can be measured.
  ///
  /// - Source: docs/notes/gate.md, "The first gate".
  private static let recordings = [
    "sung-female-phrase", "sung-male-vowel", "sung-female-a3", "synth-vowels-bass",
    "synth-runs-alto", "synth-stops-tenor", "probe-impulses",
  ]

  private func plan(of tested: any Subject) throws -> String {
    let can = tested.external?.capabilities ?? (tested.id == "autotuner" ? ["key"] : ["intervals"])
    let score: String
    if can.contains("intervals") {
      score = "id: chord\n    intervalsSemitones: [-5, 4, 7]"
    } else if can.contains("key") {
      score = "id: tuned\n    tuned: C chromatic"
    } else {
      Terminal.printError(
        "\(subject) takes neither intervals nor a key, so no plan can be written for it; copy "
          + "Corpus/plans/scores.yaml and choose a score that it takes")
      throw ExitCode(2)
    }
    return """
      # What the gate measures. Each recording is hard in another way.
      name: gate
      title: \(try quoted("Gate of \(tested.id)"))
      subject: \(try quoted(subjectSeenFromFolder))
      recordings:
      \(Self.recordings.map { "  - \($0)" }.joined(separator: "\n"))
      scores:
        - \(score)
      metrics: [pitch, voices, latency, timbre, artefacts, consonants]

      """
  }

  private func gate() throws -> String {
    let revision =
      try build.map { "build: \(try quoted($0))   # in the top folder of the repository" }
      ?? "# build: make     # for --against REF: how a revision is built"
    return """
      plan: gate-plan.yaml
      baseline: gate.tsv
      # A recording that disappears is a failure.
      cells: \(Self.recordings.count)
      \(revision)
      # Limits that hold whatever the baseline says; choose your own.
      budgets:
        - {metric: latency.impulse, max: 50}
        - {metric: voice.missing, max: 0.1}
        - {metric: samples.non_finite, of: worst, max: 0}

      """
  }

  /// The example's job with the folder of this gate and the corpus of this command.
  private func job(_ service: Service) throws -> String {
    // Installed beside the program, or in the clone that the corpus is a part of.
    let files = [
      Installation.file(service.example),
      place.folder.deletingLastPathComponent().appendingPathComponent(service.example).path,
    ]
    let example = files.first(where: FileManager.default.fileExists) ?? files[0]
    let folder = output == "." ? "" : "\(output)/"
    return try GivenFile.text(at: URL(fileURLWithPath: example))
      .replacing(" eval/", with: " \(folder)")
      .replacing("--corpus \(folder)corpus", with: ShellWords.line(place.words))
  }

  /// The subject as the plan in the folder names it.
  private var subjectSeenFromFolder: String {
    guard subject.hasSuffix(".yaml") else { return subject }
    let file = URL(fileURLWithPath: subject).standardizedFileURL.pathComponents
    let home = URL(fileURLWithPath: output, isDirectory: true).standardizedFileURL.pathComponents
    let common = zip(file, home).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: home.count - common)
    return (up + file.dropFirst(common)).joined(separator: "/")
  }

  /// A text as a scalar of YAML, of which JSON is a part.
  private func quoted(_ text: String) throws -> String {
    try text.allSatisfy { $0.isLetter || $0.isNumber || "-_./".contains($0) }
      ? text : JSONEncoder.canonical.text(text)
  }
}
