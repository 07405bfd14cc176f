import ArgumentParser
import Foundation
import Testing

@testable import choir_dev

/// The options and the list of `choir-dev selftest`.
@Suite struct SelftestCommandTests {
  @Test(arguments: [
    (["--only", "detuen"], "--only has 'detuen'; there is detune-1"),
    (["--trials", "0"], "choose 1 to 10000"), (["--tier", "all"], "all"),
  ])
  func misuseNamesTheMistake(arguments: [String], words: String) {
    #expect {
      _ = try SelftestCommand.parse(arguments)
    } throws: { SelftestCommand.message(for: $0).contains(words) }
  }

  @Test func defectsAreListedAsJSON() throws {
    let text = try SelftestText.listJSON(Defect.library)
    let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["schema"] as? String == "choir-dev.selftest-list/1")
    let ids = (object["defects"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    #expect(ids.first == "detune-1" && ids.contains("octave-note") && ids.last == "cpu-25")
  }
}
