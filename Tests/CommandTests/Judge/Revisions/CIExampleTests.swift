import Foundation
import TestSupport
import Testing

/// The shell steps of both examples for CI, run on a toy repository with a branch. Cost has tests of its
/// own, and is left out here.
@Suite struct CIExampleTests {
  private let shop: ToyWorkshop
  private var folder: TemporaryFolder { shop.toy.folder }
  private var clone: URL { folder.file("clone") }

  /// Makes a repository in the layout that the examples expect, and a release to install.
  init() throws {
    shop = try ToyWorkshop()
    for (name, text) in [
      ("gate.yaml", "plan: plan.yaml\nbuild: cc -O1 -o shifter shifter.c\n"),
      ("mine.yaml", "id: mine\nkind: stream\ncommand: [../shifter, \"{ratio}\"]\n"),
    ] { try shop.write(text, "eval/\(name)") }
    for (old, new) in [("plan.yaml", "eval/plan.yaml"), ("Corpus", "eval/corpus")] {
      try FileManager.default.moveItem(
        at: shop.toy.url.appendingPathComponent(old), to: shop.toy.url.appendingPathComponent(new))
    }
    try shop.commit("First")
    try shop.toy.git("clone", "--quiet", shop.toy.url.path, clone.path)
    // A release of the program under test, and nothing for apt to do.
    try folder.write(
      "#!/bin/sh\nexec '\(Built.choirEval.path)' \"$@\"\n", to: "release/bin/choir-eval")
    try folder.write("#!/bin/sh\nexec \"$@\"\n", to: "stubs/sudo")
    try folder.write("#!/bin/sh\n", to: "stubs/apt-get")
    _ = try bash(
      """
      chmod +x stubs/* release/bin/*
      tar --create --gzip --file release.tar.gz release
      """, in: folder.url)
  }

  private func bash(
    _ script: String, in place: URL, _ environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let settings = environment.map { "\($0.key)=\($0.value)" }
    return try ToyRepository.run(
      "env",
      settings + ["PATH=\(folder.path("stubs")):\(environment["PATH"] ?? path)"]
        + ["HOME=\(folder.url.path)", "bash", "-e", "-o", "pipefail", "-c", script], in: place)
  }

  private var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  private func digest() throws -> String {
    String(try bash("sha256sum release.tar.gz", in: folder.url).text.prefix { !$0.isWhitespace })
  }

  /// Returns the lines of a block below a key, without their indentation; joined if it is folded.
  private func block(_ key: String, after mark: String, of file: String) throws -> String {
    let text = try String(contentsOf: Repository.file(file), encoding: .utf8)
    let rest = text[try #require(text.range(of: mark)).upperBound...]
    let lines = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(
      lines.firstIndex { $0.trimmingCharacters(in: .whitespaces).hasPrefix(key) })
    let margin = lines[start + 1].prefix { $0 == " " }.count
    let body = lines[(start + 1)...].prefix {
      $0.isEmpty || $0.prefix { $0 == " " }.count >= margin
    }
    .map { String($0.dropFirst(margin)) }
    return body.joined(separator: lines[start].hasSuffix(">-") ? " " : "\n")
  }

  private func changeOnABranch(gain: Double) throws {
    _ = try ToyRepository.run("git", ["switch", "--quiet", "--create", "branch"], in: clone)
    try shop.program(gain: gain)
    let name = "shifter.c"
    try FileManager.default.removeItem(at: clone.appendingPathComponent(name))
    try FileManager.default.copyItem(
      at: shop.toy.url.appendingPathComponent(name), to: clone.appendingPathComponent(name))
    _ = try ToyRepository.run(
      "git",
      ["-c", "user.name=Toy", "-c", "user.email=toy@example.org", "commit", "-qam", "Change"],
      in: clone)
  }

  @Test(arguments: [(1.0, 0), (0.5, 1)])
  func theStepsForGitHubRun(gain: Double, status: Int) throws {
    let file = "examples/github-actions/gate.yml"
    try changeOnABranch(gain: gain)
    let environment = [
      "URL": "file://\(folder.path("release.tar.gz"))", "SHA256": try digest(),
      "RUNNER_TEMP": folder.path("temp"), "GITHUB_PATH": folder.path("github-path"),
      "GITHUB_STEP_SUMMARY": folder.path("summary.md"), "BASE": "origin/main",
    ]
    let installed = try bash(
      block("run:", after: "name: Install choir-eval", of: file), in: clone, environment)
    #expect(installed.status == 0, "\(installed.text)")
    let added = try String(contentsOf: folder.file("github-path"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    let answer = try bash(
      block("run:", after: "name: Gate", of: file) + " --cost off", in: clone,
      environment.merging(["PATH": "\(added):\(path)"]) { $1 })
    #expect(answer.status == Int32(status), "\(answer.text)")
    #expect(answer.text.contains(status == 0 ? "::notice" : "::error"))
    for name in ["gate.xml", "gate.sarif", "gate.sqlite"] {
      #expect(FileManager.default.fileExists(atPath: clone.appendingPathComponent(name).path))
    }
    #expect(FileManager.default.fileExists(atPath: folder.path("summary.md")))
  }

  @Test func theStepsForGitLabRun() throws {
    let file = "examples/gitlab/.gitlab-ci.yml"
    try changeOnABranch(gain: 0.5)
    let base = try ToyRepository.run("git", ["rev-parse", "origin/main"], in: clone).text
    let environment = [
      "CHOIR_EVAL_URL": "file://\(folder.path("release.tar.gz"))",
      "CHOIR_EVAL_SHA256": try digest(),
      "CI_MERGE_REQUEST_DIFF_BASE_SHA": base.trimmingCharacters(in: .newlines),
    ]
    // Items of the list, of which those that begin with >- go on in the next lines.
    let steps = try block("before_script:", after: "\ngate:", of: file)
      .replacing("- >-\n", with: "").split(separator: "\n")
      .map { $0.hasPrefix("- ") ? "\n" + $0.dropFirst(2) : " " + $0 }.joined()
    let prepared = try bash(
      steps.replacing("\n apt-get", with: "\napt-get"), in: clone, environment)
    #expect(prepared.status == 0, "\(prepared.text)")
    let script =
      try block("- >-", after: "  script:", of: file)
      .split(separator: "artifacts:").first.map(String.init) ?? ""
    let answer = try bash(script + " --cost off", in: clone, environment)
    #expect(answer.status == 1, "\(answer.text)")
    for name in ["gate.xml", "gate.md", "gate.sqlite"] {
      #expect(FileManager.default.fileExists(atPath: clone.appendingPathComponent(name).path))
    }
  }
}
