import EvaluationSupport
import Foundation
import GRDB
import Testing

@testable import Corpus
@testable import Probes
@testable import Sweep

@Suite struct CheckupTests {
  private let tree = ToyTree()

  private func checkup(store: String = "results/r.sqlite") -> Checkup {
    Checkup(corpus: tree.path("my corpus"), store: tree.path(store), program: "/opt/choir-eval")
  }

  /// Creates a shell script with these lines and returns its path.
  private func program(_ name: String, _ lines: String) throws -> String {
    tree.data(name, Data("#!/bin/sh\n\(lines)\n".utf8))
    let path = tree.path(name).path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func aHangingProgramIsGivenUp() throws {
    var impatient = checkup()
    impatient.patienceSeconds = 0.2
    // Its child keeps the output open after the parent is killed.
    let hanging = try program("hanging", "sleep 100 & sleep 100")
    let finding = impatient.tool(hanging, [], for: "figures", package: "gnuplot-nox")
    #expect(finding.found == nil)
    #expect(finding.remedy?.contains("within 0.2 s") == true)
  }

  @Test func aToolsFirstLineOrItsPackageIsTold() throws {
    let checkup = checkup()
    let healthy = try program("healthy", "echo 5.4; echo more")
    #expect(checkup.tool(healthy, [], for: "figures", package: "x").found == "5.4")
    let absent = checkup.tool("no-such-program", [], for: "figures", package: "gnuplot-nox")
    #expect(absent.remedy?.hasSuffix("apt-get install gnuplot-nox") == true)
  }

  @Test func anEmptyOrMissingCorpusIsWrong() throws {
    let missing = checkup().corpusFinding()
    #expect(missing.found == nil)
    // The command works from any folder, and the path is quoted.
    #expect(missing.remedy?.contains("/opt/choir-eval corpus add FILE --corpus '") == true)
    tree.text("my corpus/manifest.csv", ManifestEntry.columns.joined(separator: ","))
    let empty = checkup().corpusFinding()
    #expect(empty.found == nil)
    #expect(empty.remedy?.contains("has no recordings") == true)
    tree.sound("a.wav", seconds: 0.1)
    try NewRecording(tree.path("a.wav"), licence: "CC0-1.0", voice: "alto")
      .add(to: tree.path("my corpus"))
    #expect(checkup().corpusFinding().found == "1 recording")
    try FileManager.default.removeItem(at: tree.path("my corpus/audio/added/a.wav"))
    #expect(checkup().corpusFinding().remedy?.contains("1 file missing") == true)
  }

  @Test func theStoreIsOpenedAndItsPagesAreRead() throws {
    #expect(checkup().storeFinding().found?.hasPrefix("none yet") == true)
    #expect(!FileManager.default.fileExists(atPath: tree.path("results").path))
    _ = try ResultStore(tree.path("results/r.sqlite"))
    #expect(checkup().storeFinding().found?.hasSuffix("0 runs, 0 cells") == true)
    tree.text("results/text.sqlite", "no database, but long enough to be taken for one")
    #expect(checkup(store: "results/text.sqlite").storeFinding().found == nil)
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() throws {
    let good = checkup().writing("store's folder", tree.path("not/yet/there"), option: "--store")
    #expect(good.found?.contains("free") == true)
    #expect(!FileManager.default.fileExists(atPath: tree.path("not").path))
    // Nobody, not even root, can create a file under /proc/1.
    let bad = checkup().writing(
      "store's folder", URL(fileURLWithPath: "/proc/1"), option: "--store")
    #expect(bad.found == nil)
    #expect(bad.remedy?.contains("choose another with --store") == true)
  }

  @Test func aSubjectFileThatCannotBeReadIsNamed() throws {
    #expect(checkup().subjectFindings() == [])
    tree.text(
      "my corpus/subjects/good.yaml", "id: good", "title: Good", "kind: command",
      "command: [cp, \"{input}\", \"{output}\"]")
    tree.text("my corpus/subjects/bad.yaml", "id: bad", "kind: nonsense")
    tree.text(
      "my corpus/subjects/gone.yaml", "id: gone", "title: Gone", "kind: command",
      "command: [no-such-program, \"{input}\", \"{output}\"]", "install: ask its maker")
    let findings = checkup().subjectFindings()
    #expect(findings.map(\.name) == ["subjects", "subject bad", "subject gone"])
    #expect(findings.map(\.needed) == [false, true, false])
    #expect(findings[0].found == "good")
    #expect(findings[2].remedy == "ask its maker")
  }
}
