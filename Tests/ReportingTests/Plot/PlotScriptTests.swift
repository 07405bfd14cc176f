import Foundation
import Platform
import TestSupport
import Testing

@testable import Reporting

@Suite struct PlotScriptTests {
  @Test func holdsCommandsAndData() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("a.gp").path
    var script = try PlotScript(path: path)
    try script.write("set title 'a'")
    try script.write([[1, 0.1], [2, .nan], [1e-9, -123456.75]], named: "points")
    try script.finish()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines == ["set title 'a'", "$points << e", "1 0.1", "2 nan", "1e-09 -123456.75", "e"])
  }

  @Test func anUnwritablePathIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("none/a.gp").path
    #expect(throws: Refusal.cannotWrite(path)) {
      _ = try PlotScript(path: path)
    }
  }

  /// `/dev/full` accepts opening and refuses every byte, as a full disk does.
  @Test func aFullDiskIsNoticed() {
    #expect(throws: Refusal.cannotWrite("/dev/full")) {
      var script = try PlotScript(path: "/dev/full")
      try script.write("set title 'a'")
      try script.finish()
    }
  }
}
