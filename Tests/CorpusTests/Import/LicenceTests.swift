import EvaluationSupport
import Platform
import Testing

@testable import Corpus

@Suite struct LicenceTests {
  @Test(
    arguments: [
      ("CC0-1.0", Licence.Redistribution.free, false), ("CC-BY-4.0", .free, true),
      ("CC-BY-SA-3.0", .free, true), ("ODbL-1.0", .free, true), ("GFDL-1.2-or-later", .free, true),
      ("LGPL-2.1-or-later", .free, true), ("BSD-3-Clause", .free, true),
      ("CC-BY-NC-4.0", .noncommercial, true), ("CC-BY-NC-SA-4.0", .noncommercial, true),
      // A harmony is a derivative.
      ("CC-BY-ND-4.0", .none, true), ("CC-BY-NC-ND-4.0", .none, true),
      ("LicenseRef-MIR-1K", .none, true),
      // Lower case is accepted, and so is a later version.
      ("cc-by-4.0", .free, true), ("Apache-2.0+", .free, true), ("GPL-2.0+", .free, true),
    ] as [(String, Licence.Redistribution, Bool)])
  func terms(text: String, redistribution: Licence.Redistribution, needsAttribution: Bool) throws {
    let licence = try Licence(text)
    #expect(licence.redistribution == redistribution)
    #expect(licence.needsAttribution == needsAttribution)
  }

  @Test(arguments: [
    "", " ", "free, I think", "CC-BY-4.0 not for reports", "CC-BY-4.0 MIT", "CC-BY-4.0 OR MIT",
    "(MIT)", "LicenseRef-", "LicenseRef-a_b", "CC-BY", "MIT +", "CC-BY-4.0; DROP", "ＭＩＴ",
  ])
  func whatIsNoIdentifierIsRefused(text: String) {
    #expect(throws: Refusal.self) { try Licence(text) }
  }

  @Test(arguments: [
    ("CC-BY-4", "CC-BY-4.0"), ("CC-BY", "CC-BY-4.0"), ("CCO-1.0", "CC0-1.0"),
    ("Apache2.0", "Apache-2.0"), ("gpl2", "GPL-2.0"), ("BSD-3-Claus", "BSD-3-Clause"),
    ("GPL3.0-only", "GPL-3.0-only"), ("CC BY 4.0", "CC-BY-4.0"),
  ])
  func theNearestIsNamed(text: String, nearest: String) throws {
    let error = try #require(throws: Refusal.self) { try Licence(text) }
    #expect("\(error)".contains(nearest), "\(error)")
  }

  @Test func noManifestOrImportTakesAnotherLicence() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    tree.sound("a.wav", seconds: 0.1)
    let new = NewRecording(tree.path("a.wav"), licence: "CC-BY-4.0 not for reports", voice: "alto")
    #expect(throws: Refusal.self) { try new.add(to: corpus.url) }
    corpus.text(
      "manifest.csv", ManifestEntry.requiredColumns.joined(separator: ","),
      "probe,,synthetic:impulses,,CC-BY-4.0 not for reports,Us,none,probe,clicks")
    let error = try #require(throws: Refusal.self) { try Corpus(folder: corpus.url) }
    #expect("\(error)".contains("'CC-BY-4.0 not for reports' is not in the SPDX list"), "\(error)")
  }
}
