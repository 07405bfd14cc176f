import Foundation
import Testing

@testable import Music

/// Tempo maps and meter maps: their shared rules and their YAML and JSON.
@Suite struct BeatMapTests {
  private static func meters(_ beats: Double...) throws -> MeterMap {
    try MeterMap(beats.map { .init(atBeats: $0, .common) })
  }

  private static func tempi(_ beats: Double...) throws -> TempoMap {
    try TempoMap(beats.map { .init(atBeats: $0, beatsPerMinute: 100) })
  }

  @Test func theFirstChangeIsAtTheStart() {
    #expect(throws: SequenceError.firstIsLate("tempo")) { try Self.tempi(1) }
    #expect(throws: SequenceError.firstIsLate("tempo")) { try Self.tempi() }
    #expect(throws: SequenceError.firstIsLate("timeSignature")) { try Self.meters(4) }
  }

  @Test func changesAreInOrder() {
    #expect(throws: SequenceError.notRising("tempo", atBeats: 4, after: 4)) {
      try Self.tempi(0, 4, 4)
    }
    #expect(throws: SequenceError.notRising("timeSignature", atBeats: 3, after: 8)) {
      try Self.meters(0, 8, 3)
    }
  }

  @Test func anErrorNamesThePlace() {
    func message(_ work: () throws -> Void) -> String {
      do { try work() } catch { return "\(error)" }
      return ""
    }
    let late = message { _ = try Self.meters(0, 2e6) }
    #expect(late.hasPrefix("timeSignature[1].atBeats is 2000000.0"), "\(late)")
    let fast = message {
      _ = try TempoMap([
        .init(atBeats: 0, beatsPerMinute: 100), .init(atBeats: 4, beatsPerMinute: 0),
      ])
    }
    #expect(fast.hasPrefix("tempo[1].beatsPerMinute is 0.0"), "\(fast)")
  }

  @Test(arguments: [
    ("96", "\"3/4\""),
    (
      #"[{"atBeats":0,"beatsPerMinute":96},{"atBeats":16,"beatsPerMinute":80.5}]"#,
      #"[{"atBeats":0,"timeSignature":"3/4"},{"atBeats":6,"timeSignature":"6/8"}]"#
    ),
  ])
  func aSingleValueStandsAlone(tempo: String, meter: String) throws {
    func kept<Map: Codable>(_ text: String, _ type: Map.Type) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let map = try JSONDecoder().decode(type, from: Data(text.utf8))
      return String(decoding: try encoder.encode(map), as: UTF8.self)
    }
    #expect(try kept(tempo, TempoMap.self) == tempo)
    #expect(try kept(meter, MeterMap.self) == meter)
  }
}
