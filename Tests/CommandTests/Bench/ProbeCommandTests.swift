import Foundation
import Testing

/// `choir-eval probe` with subjects and settings that cannot be measured.
@Suite struct ProbeCommandTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  private func describe(_ command: String) throws {
    try shell.write("id: mine\nkind: command\ncommand: \(command)\n", "mine.yaml")
  }

  /// A name means the same to `subjects` as to `probe`: a subject of the corpus.
  @Test func aSubjectIsCheckedByItsId() throws {
    try shell.write(
      """
      id: copy
      kind: command
      command: [sh, -c, 'cp "$1" "$2"', sh, "{input}", "{output}", "{semitones}"]

      """, "corpus/subjects/copy.yaml")
    let known = try shell.type("choir-eval subjects copy --corpus corpus")
    #expect(known.status == 0 && known.output.contains("ready"), "\(known)")
    let other = try shell.type("choir-eval subjects other --corpus corpus")
    #expect(other.status == 2 && other.words.contains("no such subject; choose reference,"))
    let own = try shell.type("choir-eval subjects psola --corpus corpus")
    #expect(own.status == 0 && own.output.contains("engine"), "\(own)")
  }

  /// The linker's error of a program whose library is missing, told once and not for each figure.
  @Test func aProgramThatCannotLoadIsOneLine() throws {
    let loading = "libmine.so: cannot open shared object file"
    try shell.write("#!/bin/sh\necho '\(loading)' >&2\nexit 127\n", "program")
    chmod(shell.path("program"), 0o755)
    try describe(#"["\#(shell.path("program"))", "{input}", "{output}", "{semitones}"]"#)
    let answer = try shell.type("choir-eval probe mine.yaml")
    #expect(answer.status == 2)
    #expect(answer.output.isEmpty)
    let lines = answer.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(answer.errors)")
    #expect(answer.errors.contains("nothing could be measured") && answer.errors.contains(loading))
  }

  /// Debian's Autotalent needs symbols that its libraries no longer have; its host says so and ends
  /// with 1, or with 0 if it writes a file first.
  @Test(arguments: [0, 1]) func aPluginThatCannotLoadIsOneLine(status: Int) throws {
    let loading = "Failed to load plugin: undefined symbol: __exp_finite"
    try shell.write("#!/bin/sh\necho '\(loading)' >&2\nexit \(status)\n", "host")
    chmod(shell.path("host"), 0o755)
    try describe(#"["\#(shell.path("host"))", "{input}", "{output}", "{semitones}"]"#)
    let answer = try shell.type("choir-eval probe mine.yaml --only latency,cost")
    #expect(answer.status == 2)
    #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
  }

  @Test(arguments: [
    ("reference", "blockSize=abc", "blockSize is abc; choose a whole number from 1 to 65536"),
    ("reference", "blockSize=0", "blockSize is 0; choose a whole number from 1 to 65536"),
    ("autotuner", "blockSize=abc", "blockSize is abc; choose a whole number from 1 to 65536"),
    ("reference", "windowMs=abc", "windowMs"),
  ])
  func aSettingThatCannotBeIsRefused(subject: String, setting: String, words: String) throws {
    let answer = try shell.type("choir-eval probe \(subject) --set \(setting)")
    #expect(answer.status == 64)  // misuse
    #expect(answer.output.isEmpty)
    #expect(answer.words.contains("--set \(setting): \(subject): "))
    #expect(answer.words.contains(words), "\(answer.errors)")
    // The subject is named once.
    #expect(answer.words.ranges(of: "\(subject): ").count == 1, "\(answer.errors)")
  }

  @Test(arguments: [
    ("psola", "lookAheadPeriods=1e300", "choose 0.0 to 2.0"),
    ("reference", "nosuch=3", "has no setting 'nosuch'"),
  ])
  func aVariationThatCannotBeIsRefused(subject: String, variation: String, words: String) throws {
    let answer = try shell.type("choir-eval probe \(subject) --vary \(variation)")
    #expect(answer.status == 64)
    #expect(answer.output.isEmpty)
    #expect(answer.words.contains("\(subject): "))
    #expect(answer.words.contains(words), "\(answer.errors)")
  }

  @Test(arguments: [
    ("--only step --vary engine=psola", "add latency, or leave --vary out"),
    ("--vary windowMs=", "--vary windowMs has no values"),
  ])
  func optionsWithoutEffectAreRefused(options: String, remedy: String) throws {
    let answer = try shell.type("choir-eval probe reference \(options)")
    #expect(answer.status == 64)
    #expect(answer.words.contains(remedy), "\(answer.errors)")
  }

  @Test func memoryIsANumberThatCanBe() throws {
    let answer = try shell.type("choir-eval probe reference --only cost --json")
    #expect(answer.status == 0, "\(answer.errors)")
    let findings = try #require(answer.json()["findings"] as? [[String: Any]])
    let memory = try #require(findings.first { $0["name"] as? String == "memory" })
    // Two voices of `psola` keep at least 50 ms of sound each as 32-bit floats at 48 kHz.
    let megabytes = try #require(memory["value"] as? Double)
    #expect(megabytes > 0.0192)
  }
}
