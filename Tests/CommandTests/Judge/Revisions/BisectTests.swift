import Foundation
import TestSupport
import Testing

/// `choir-eval bisect` in made-up histories.
@Suite struct BisectTests {
  private let shop: ToyWorkshop

  init() throws {
    shop = try ToyWorkshop()
    try shop.commit("Number 0")
  }

  private struct Result: Decodable {
    struct Commit: Decodable { var title: String }
    struct Trial: Decodable {
      var verdict: String
      var remark: String?
      var cells: Int
    }
    struct Sounds: Decodable {
      struct Instant: Decodable { var atSeconds: Double }
      var instants: [Instant]
    }
    var suspects: [Commit]
    var builds: Int
    var commits: Int
    var recording: String
    var before: Double?
    var after: Double?
    var sounds: Sounds?
    var trials: [Trial]
  }

  private func bisect(_ more: String...) throws -> Result {
    let answer = try shop.type(
      ["bisect", "gate.yaml", "--good", "HEAD~12", "--bad", "HEAD", "--json"] + more)
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(shop.isTidy)
    return try JSONDecoder().decode(Result.self, from: answer.bytes)
  }

  /// Twelve commits, each with a gain a little different; the eighth makes all after 0.4 s softer by 20 dB.
  @Test func theCommitIsNamedWithItsInstant() throws {
    for number in 1...12 {
      try shop.program(
        gain: 1 - 0.000_1 * Double(number), softFromSample: number >= 8 ? 19_200 : -1)
      try shop.commit("Number \(number)")
    }
    let found = try bisect()
    #expect(found.suspects.map(\.title) == ["Number 8"])
    #expect(found.commits == 12 && found.builds <= 6)
    // One cell decides for each commit.
    #expect(found.trials.allSatisfy { $0.cells <= 1 })
    let instants = try #require(found.sounds).instants
    // Instants are medians over a tenth of a second.
    #expect(instants.contains { $0.atSeconds > 0.3 && $0.atSeconds < 0.84 })
    // All is built and measured.
    #expect(try bisect().builds == 0)
  }

  /// Commit 5 of 12 made it worse; its program returns with commits that only touch the text.
  @Test func theSameProgramIsNotMeasuredAgain() throws {
    for number in 1...12 {
      try shop.program(gain: number >= 5 ? 0.5 : 1, remark: "text \(number)")
      try shop.commit("Number \(number)")
    }
    let found = try bisect("--figure", "level.change")
    #expect(found.suspects.map(\.title) == ["Number 5"])
    #expect(
      found.trials.allSatisfy { $0.cells == 0 && $0.remark?.contains("same program") == true })
    // Half is −6.02 dB, LU are decibels.
    let (before, after) = (try #require(found.before), try #require(found.after))
    #expect(abs(after - before + 6.02) < 0.01)
  }

  @Test func commitsThatDoNotBuildAreSkipped() throws {
    for number in 1...12 {
      try shop.program(gain: number >= 7 ? 0.5 : 1)
      if [3, 6].contains(number) { try shop.write("nonsense", "shifter.c") }
      try shop.commit("Number \(number)")
    }
    let found = try bisect()
    // Commit 6 can't be told from 7.
    #expect(found.suspects.map(\.title) == ["Number 6", "Number 7"])
    #expect(found.trials.contains { $0.verdict == "skipped" })
  }

  /// The fifth commit halves the sound. The next two are below -70 LUFS, where BS.1770 knows no
  /// loudness, so they say nothing of the level.
  @Test func commitsWithoutTheFigureAreSkipped() throws {
    for number in 1...12 {
      try shop.program(gain: [6, 7].contains(number) ? 0.000_001 : number >= 5 ? 0.5 : 1)
      try shop.commit("Number \(number)")
    }
    let found = try bisect("--figure", "level.change")
    #expect(found.suspects.map(\.title) == ["Number 5"])
    let skipped = found.trials.filter { $0.verdict == "skipped" }
    #expect(!skipped.isEmpty)
    #expect(skipped.allSatisfy { $0.remark?.contains("the figure has no value there") == true })
  }

  @Test func aCommitThatFailsIsFound() throws {
    for number in 1...12 {
      if number < 9 {
        try shop.program(gain: 1 - 0.001 * Double(number))
      } else {
        try shop.write("int main(void) { return \(number); }", "shifter.c")
      }
      try shop.commit("Number \(number)")
    }
    #expect(try bisect().suspects.map(\.title) == ["Number 9"])
  }

  /// Noise of −40 dB that differs each time moves the level by thousandths of a decibel.
  @Test func aRandomSubjectIsTested() throws {
    for number in 1...12 {
      try shop.program(gain: number >= 4 ? 0.7 : 1, noise: 0.02)
      try shop.commit("Number \(number)")
    }
    #expect(try bisect("--figure", "level.change").suspects.map(\.title) == ["Number 4"])
  }

  @Test func whatIsWrongIsNamed() throws {
    for number in 1...2 { try shop.commit("Number \(number)") }
    func refused(_ words: String, _ line: String...) throws {
      let answer = try shop.type(["bisect", "gate.yaml"] + line)
      #expect(answer.status == 2 && answer.errors.contains(words), "\(answer.errors)")
    }
    try refused("no figure of the gate regressed", "--good", "HEAD~2")
    try refused("are both", "--good", "HEAD")
    try refused("is not before", "--good", "HEAD", "--bad", "HEAD~1")
    try refused("is not worse at", "--good", "HEAD~2", "--figure", "level.change")
    try refused("has no commit 'v9'", "--good", "v9")
  }

  @Test func anInterruptionLeavesNothing() throws {
    try shop.gate("build: touch \(shop.toy.url.path)/started; sleep 600")
    try shop.commit("Slow")
    #expect(try shop.interrupted("bisect", "gate.yaml", "--good", "HEAD~1") == 130)
    #expect(shop.isTidy)
  }
}
