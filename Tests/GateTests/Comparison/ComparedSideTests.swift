import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Gate
@testable import Sweep

@Suite struct ComparedSideTests {
  private let scratch: TemporaryFolder
  private let store: URL

  init() throws {
    scratch = try TemporaryFolder()
    store = scratch.file("results.sqlite")
    _ = try ResultStore(store)
  }

  @Test func filesAreKnownByTheirContent() throws {
    let sound = scratch.path("a.wav")
    try Data("RIFF".utf8).write(to: URL(fileURLWithPath: sound))
    #expect(try ComparedSide(sound, store: store) == .sound(path: sound))
    #expect(
      try ComparedSide(store.path, store: store) == .run(store: store, name: nil, choice: [:]))
    let preset = scratch.path("p.json")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: preset))
    #expect(try ComparedSide(preset, store: store) == .preset("preset:" + preset))
  }

  @Test func runsAreNamedAndNarrowed() throws {
    #expect(
      try ComparedSide("demo?engine=psola&windowMs=40", store: store)
        == .run(
          store: store, name: "demo",
          choice: ["engine": .text("psola"), "windowMs": .number(40)]))
    #expect(
      try ComparedSide(store.path + "#smoke", store: store)
        == .run(store: store, name: "smoke", choice: [:]))
  }

  @Test(arguments: ["nowhere/a.wav", "demo?engine", "gone.sqlite", "nowhere.wav", ""])
  func unknownNamesAreRefused(text: String) {
    #expect(throws: ComparedSide.Problem.self) { try ComparedSide(text, store: store) }
  }
}
