import Testing

@testable import Evaluation

@Suite struct LicenceTests {
  @Test(arguments: [
    ("CC0-1.0", Licence.Redistribution.free, false), ("CC-BY-4.0", .free, true),
    ("CC-BY-SA-3.0", .free, true), ("ODbL-1.0", .free, true), ("GFDL-1.2-or-later", .free, true),
    ("LGPL-2.1-or-later", .free, true), ("BSD-3-Clause", .free, true),
    ("CC-BY-NC-4.0", .noncommercial, true), ("CC-BY-NC-SA-4.0", .noncommercial, true),
    // A harmony is a derivative.
    ("CC-BY-ND-4.0", .none, true), ("CC-BY-NC-ND-4.0", .none, true),
    ("LicenseRef-MIR-1K", .none, true), ("free, I think", .none, true), ("", .none, true),
    ("LicenseRef-x OR CC0-1.0", .free, false), ("CC0-1.0 AND CC-BY-NC-4.0", .noncommercial, true),
    ("GPL-3.0-only WITH Font-exception-2.0", .free, true),
  ])
  func terms(id: String, redistribution: Licence.Redistribution, needsAttribution: Bool) {
    let licence = Licence(id)
    #expect(licence.redistribution == redistribution)
    #expect(licence.needsAttribution == needsAttribution)
  }
}
