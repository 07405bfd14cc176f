import Foundation
import Platform
import TestSupport
import Testing

@testable import Reporting

@Suite struct GnuplotTests {
  @Test(arguments: ["no-such-gnuplot", "/nowhere/gnuplot"])
  func aMissingProgramSaysHowToInstallIt(program: String) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: Refusal.gnuplotMissing(program)) {
      try Gnuplot(program: program).run("a.gp", in: folder.url)
    }
    #expect(error?.description.contains("apt-get install gnuplot-nox") == true)
  }

  @Test func aFailingScriptGivesGnuplotsMessage() throws {
    let folder = try TemporaryFolder()
    try Data("plot $missing\n".utf8).write(to: folder.url.appendingPathComponent("a.gp"))
    let error = #expect(throws: Refusal.self) { try Gnuplot().run("a.gp", in: folder.url) }
    let text = error?.description ?? ""
    #expect(
      text.contains("a.gp") && text.contains("$missing") && text.contains("line 1"), "\(text)")
  }
}
