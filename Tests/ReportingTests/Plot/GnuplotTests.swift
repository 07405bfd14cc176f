import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct GnuplotTests {
  @Test(arguments: ["no-such-gnuplot", "/nowhere/gnuplot"])
  func aMissingProgramSaysHowToInstallIt(program: String) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: PlotError.gnuplotMissing(program)) {
      try Gnuplot(program: program).run("a.gp", in: folder.url)
    }
    #expect(error?.description.contains("apt-get install gnuplot-nox") == true)
  }

  @Test func aFailingScriptGivesGnuplotsMessage() throws {
    let folder = try TemporaryFolder()
    try Data("plot $missing\n".utf8).write(to: folder.url.appendingPathComponent("a.gp"))
    let error = #expect(throws: PlotError.self) { try Gnuplot().run("a.gp", in: folder.url) }
    guard case .gnuplotFailed(let script, let message) = error else {
      Issue.record("expected gnuplotFailed, got \(String(describing: error))")
      return
    }
    #expect(script == "a.gp")
    #expect(message.contains("$missing") && message.contains("line 1"))
  }
}
