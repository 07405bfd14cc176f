import Effects
import Foundation
import ProcessorConformance
import Testing

@Suite struct TremoloTests {
  @Test func keepsTheContract() throws {
    let conformance = ProcessorConformance {
      try OneChannel(Tremolo.Settings())
    }
    #expect(try conformance.findings() == [])
  }
}
