import Foundation
import Testing

/// `choir-eval hunt` with wrong words, and its replay.
@Suite struct HuntCommandTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @Test(arguments: [
    ("hunt", "no subject; name one, or --replay RECIPE"),
    ("hunt psola --metric latency.reported", "which no hunt judges by; choose"),
    ("hunt psola --vary windowMs", "write NAME=LOW..HIGH or NAME=VALUE,VALUE"),
    ("hunt psola --vary windowMs=9..3", "write two rising numbers"),
    ("hunt delayline --vary nosuch=1..9", "delayline: has no setting 'nosuch'"),
    ("hunt delayline --vary windowMs=1..9999", "--vary windowMs="),
    ("hunt psola --replay r.yaml", "--replay takes subject, settings and metric from the recipe"),
  ])
  func wrongWordsAreMisuse(command: String, remedy: String) throws {
    let answer = try shell.type("choir-eval \(command)")
    #expect(answer.status == 64)
    #expect(answer.errors.contains(remedy), "\(answer.errors)")
  }

  /// The file is not looked for: flags that a replay would ignore are misuse.
  @Test(arguments: ["--minutes 1", "--sounds 5", "--output here", "--json"])
  func aReplayHasNoFlagsOfASearch(flag: String) throws {
    let answer = try shell.type("choir-eval hunt --replay r.yaml \(flag)")
    #expect(answer.status == 64)
    #expect(answer.words.contains("leave --minutes, --sounds, --output and --json out"))
  }

  @Test func anUnknownSubjectNamesTheKnownOnes() throws {
    let answer = try shell.type("choir-eval hunt nobody")
    #expect(answer.status == 2)
    #expect(answer.errors.contains("there is no such subject; choose reference"))
  }

  /// A recipe of a vowel that every engine sings: the fault that it names is not there.
  @Test func aFaultThatIsGoneEndsWith0() throws {
    try shell.write(
      """
      recipe: 1
      subject: psola
      settings: {engine: psola}
      fault: octave slip
      sound: {note: 57}
      found: {amount: 100, severity: 10, atSeconds: 0.3, words: an octave too low}
      input: unknown
      output: unknown
      """, "gone.yaml")
    let answer = try shell.type("choir-eval hunt --replay gone.yaml")
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains("gone"))
    #expect(answer.output.contains("differs"))
  }

  @Test func aRecipeWithAnUnknownFaultNamesTheFile() throws {
    try shell.write(
      "recipe: 1\nsubject: psola\nsettings: {}\nfault: hiccup\nsound: {}\n", "odd.yaml")
    let answer = try shell.type("choir-eval hunt --replay odd.yaml")
    #expect(answer.status == 2)
    #expect(answer.errors.contains("odd.yaml: line 4: fault is 'hiccup'"), "\(answer.errors)")
  }
}
