import Foundation
import Testing

@testable import Reporting

@Suite struct TableTests {
  @Test func csvQuotesAndExplains() {
    let table = Table(
      id: "t", title: "t", columns: [.text("voice", "Voice"), .number("error_cents", "error")],
      rows: [
        [.text("a \"b\", c"), .amount(Amount(0.1))],
        [.text("d"), .amount(.undefined("unvoiced"))],
      ])
    #expect(
      table.csv == """
        voice,error_cents,undefined\r
        "a ""b"", c",0.1,\r
        d,,error_cents: unvoiced\r

        """)
  }

  @Test func unitsEndTheNamesOfColumns() {
    #expect(Axis("window", unit: "ms").columnName == "window_ms")
    #expect(Axis("frames within", unit: "%").columnName == "frames_within_percent")
    #expect(Axis("formant ratio", unit: "").columnName == "formant_ratio")
  }

  @Test func jsonHasNullWithAReason() throws {
    let table = Table(
      id: "t", title: "t", columns: [.number("a", "A"), .number("b", "B")],
      rows: [[.amount(Amount(.nan, otherwise: "silence")), .amount(2.5)]])
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(table))
    let row = try #require(((object as? [String: Any])?["rows"] as? [[String: Any]])?.first)
    let missing = try #require(row["a"] as? [String: Any])
    #expect(missing["value"] is NSNull && missing["undefined"] as? String == "silence")
    #expect(row["b"] as? Double == 2.5)
  }

  private var linked: Table {
    Table(
      id: "t", title: "T",
      columns: [.text("name", "name"), .number("a_ms", "a", unit: "ms"), .number("b", "b")],
      rows: [
        [.linked(.text("one"), to: "clip-one.html"), .amount(1), .amount(.undefined("none"))],
        [.text("two"), .linked(.amount(2), to: "#cell"), .amount(.undefined("none"))],
      ])
  }

  @Test func linksAreForThePageOnly() throws {
    #expect(linked.csv.contains("one,1.0,") && !linked.csv.contains("clip-one"))
    let json = String(decoding: try JSONEncoder().encode(linked), as: UTF8.self)
    #expect(json.contains("\"a_ms\":2") && !json.contains("cell"))
  }

  @Test func columnsWithoutAnyValueGo() {
    let table = linked.withoutEmptyColumns()
    #expect(table.columns.map(\.name) == ["name", "a_ms"])
    #expect(table.rows.map(\.count) == [2, 2])
  }
}
