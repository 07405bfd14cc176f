import Foundation
import Metrics
import TestSupport
import Testing

@testable import choir_dev

@Suite struct ValidityStoreTests {
  /// A file whose last line was cut off keeps the lines before it, and takes new ones.
  @Test func aCutOffLineIsLeftOut() throws {
    let scratch = try TemporaryFolder()
    let url = scratch.file("validity.jsonl")
    let metrics = ["pitch.bias", "pitch.lag"].compactMap { Metric.metric(id: $0) }
    let figures = Rung.Figures(latencyMs: 3, values: ["pitch.bias": 1.5, "pitch.lag": nil])
    try ValidityStore(url).add(figures, to: "a", named: "ideal", metrics)
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    try file.write(contentsOf: Data("\n{\"key\":\"b\",\"fig".utf8))
    try file.close()

    try ValidityStore(url).add(figures, to: "c", named: "ideal", metrics)
    let store = try ValidityStore(url)
    for key in ["a", "c"] {
      let found = try #require(store.figures(of: key, metrics))
      #expect(found.latencyMs == 3 && found.known == ["pitch.bias": 1.5])
    }
    #expect(store.figures(of: "b", metrics) == nil)
  }

  /// Metrics that were not measured yet are named, and join the others.
  @Test func missingMetricsAreAdded() throws {
    let scratch = try TemporaryFolder()
    let store = try ValidityStore(scratch.file("validity.jsonl"))
    let (bias, lag) = (Metric.metric(id: "pitch.bias")!, Metric.metric(id: "pitch.lag")!)
    try store.add(Rung.Figures(latencyMs: 0, values: [bias.id: 1]), to: "a", named: "ideal", [bias])
    #expect(store.missing(from: "a", [bias, lag]).map(\.id) == [lag.id])
    #expect(store.figures(of: "a", [bias, lag]) == nil)
    try store.add(Rung.Figures(latencyMs: 0, values: [lag.id: 2]), to: "a", named: "ideal", [lag])
    #expect(store.figures(of: "a", [bias, lag])?.known == [bias.id: 1, lag.id: 2])
  }
}
