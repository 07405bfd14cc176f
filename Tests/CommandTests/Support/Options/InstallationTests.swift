import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import choir_eval

/// Installed files are found from any folder.
@Suite struct InstallationTests {
  /// The corpus is found in a prefix filled by `make install`, in an archive of scripts/release, and in a clone.
  @Test(arguments: [
    ("bin", "share/choir-eval/"), ("bin", ""), (".build/x86_64-unknown-linux-gnu/release", ""),
  ])
  func theCorpusLiesBesideTheProgram(bin: String, folder: String) throws {
    let shell = try Shell()
    let setUp = try shell.type(
      "mkdir -p \(bin) here/Corpus \(folder)Corpus/plans && touch \(bin)/choir-eval "
        + "\(folder)Corpus/manifest.csv \(folder)Corpus/plans/installed.yaml")
    #expect(setUp.status == 0, "\(setUp.errors)")
    let program = shell.path("\(bin)/choir-eval")
    let installed = shell.path("\(folder)Corpus")
    #expect(Installation.corpus(here: shell.path("here/Corpus"), program: program) == installed)
    #expect(
      Installation.file("Corpus/plans/installed.yaml", program: program)
        == "\(installed)/plans/installed.yaml")
    // A local file has priority, and a missing one keeps its path.
    try shell.write("", "here/Corpus/manifest.csv")
    #expect(
      Installation.corpus(here: shell.path("here/Corpus"), program: program)
        == shell.path("here/Corpus"))
    #expect(
      Installation.file("Corpus/plans/none.yaml", program: program) == "Corpus/plans/none.yaml")
    #expect(Installation.file("/none.yaml", program: program) == "/none.yaml")
  }

  /// The program is started through a link, from another folder.
  @Test func anInstalledProgramRunsFromAnywhere() throws {
    let shell = try Shell()
    let setUp = try shell.type(
      """
      mkdir -p prefix/bin prefix/share/choir-eval/Corpus elsewhere &&
      cp '\(Built.choirEval.path)' prefix/bin/ && cp prefix/bin/choir-eval alone &&
      ln -s "$PWD/prefix/bin/choir-eval" elsewhere/ce &&
      echo 'id,file,source,sha256,licence,attribution,voice,kind,shows' \
        > prefix/share/choir-eval/Corpus/manifest.csv
      """)
    #expect(setUp.status == 0, "\(setUp.errors)")
    let answer = try shell.type("cd elsewhere && ./ce corpus list")
    #expect(answer.status == 0 && answer.output.hasPrefix("id"), "\(answer.errors)")
    let none = try shell.type("cd elsewhere && ../alone corpus list")
    #expect(none.status == 2)
    #expect(none.words.contains("manifest.csv is missing"), "\(none.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsKnowFilesMetricsEnginesAndPresets(shell: String) throws {
    for (program, words) in [
      ("choir-eval", ["pitch.abs_error.p95", "psola", "yaml", "sqlite", "vocadito"]),
      ("choir", ["psola", "chipmunk", "flac"]),
    ] {
      let script = try Shell().type("\(program) --generate-completion-script \(shell)")
      #expect(script.status == 0)
      for word in words { #expect(script.output.contains(word), "\(program): \(word)") }
    }
  }

  /// Hints repeat the options that the user gave.
  @Test func hintsRepeatTheOptionsGiven() throws {
    let bench = try GateTests.Bench()
    try FileManager.default.moveItem(
      at: bench.folder.appendingPathComponent("Corpus"),
      to: bench.folder.appendingPathComponent("my corpus"))
    let gate = "my corpus/gates/tiny.yaml"
    let options = ["--corpus", "my corpus", "--subject", "mine.yaml"]
    let answer = try bench.type(["gate", gate] + options)
    #expect(answer.status == 2)
    let command =
      "choir-eval accept 'my corpus/gates/tiny.yaml' --corpus 'my corpus' --subject mine.yaml "
      + "--reason"
    #expect(answer.errors.contains(command), "\(answer.errors)")
    // The hint works.
    let accepted = try bench.type(["accept", gate, "--reason", "first baseline"] + options)
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(try bench.type(["gate", gate] + options).status == 0)
    // Without the noise, the gate says how to measure it.
    try FileManager.default.removeItem(
      at: bench.folder.appendingPathComponent("my corpus/gates/tiny.noise.tsv"))
    let text = try bench.type(["gate", gate] + options)
    #expect(text.output.contains("is not known; measure it: \(command)"), "\(text.output)")
    let page = try bench.type(["gate", gate, "--format", "markdown"] + options)
    #expect(page.output.contains("is not known; measure it: \(command)"), "\(page.output)")
    let gated = command.replacing("accept", with: "gate").replacing(" --reason", with: "")
    #expect(page.output.contains("Made by: `\(gated)`"), "\(page.output)")
  }

  @Test func quietShowsNoProgress() throws {
    let bench = try GateTests.Bench()
    let loud = try bench.type("run", "Corpus/plans/tiny.yaml")
    #expect(loud.errors.contains("cells"))
    let quiet = try bench.type("run", "Corpus/plans/tiny.yaml", "--quiet", "--store", "b.sqlite")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
    // Errors are still printed.
    let wrong = try bench.type("run", "none.yaml", "--quiet")
    #expect(wrong.status == 2 && wrong.errors.contains("none.yaml"))
  }

  @Test(arguments: ["demo", "setup", "fetch-corpus", "release", "test", "test-report"])
  func scriptsExplainThemselves(name: String) throws {
    let answer = try Shell().type("'\(Repository.root.path)/scripts/\(name)' --help")
    #expect(answer.status == 0 && answer.errors.isEmpty)
    #expect(answer.output.count > 60 && !answer.output.hasPrefix("#"), "\(answer.output)")
  }
}
