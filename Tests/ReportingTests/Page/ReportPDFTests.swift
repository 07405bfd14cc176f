import Foundation
import Platform
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportPDFTests {
  @Test func aMissingBrowserIsNamed() {
    #expect(throws: ReportError.browserMissing("no-such-browser")) {
      try ReportPDF(browsers: ["no-such-browser", "nor-this"])
    }
  }

  @Test func aBrowserThatPrintsNothingLeavesTheOldFile() throws {
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("a.pdf")
    try Data("old".utf8).write(to: target)
    #expect(throws: ReportError.self) {
      try ReportPDF(browsers: ["true"]).write(folder.url, to: target)
    }
    #expect(try String(contentsOf: target, encoding: .utf8) == "old")
  }

  @Test(.enabled(if: ProgramFile.path(of: "chromium") != nil, "needs chromium"))
  func chromiumPrints() throws {
    let folder = try TemporaryFolder()
    try Data("<!doctype html><title>t</title><p>text".utf8)
      .write(to: folder.url.appendingPathComponent("index.html"))
    let target = folder.url.appendingPathComponent("a.pdf")
    try ReportPDF(browsers: ["chromium"]).write(folder.url, to: target)
    #expect(try Data(contentsOf: target).prefix(5) == Data("%PDF-".utf8))
  }
}
