import Testing

@testable import Platform

@Suite struct DigestTests {
  /// The example of FIPS 180-2, appendix B.1.
  @Test func theStandardsExampleIsReproduced() {
    #expect(
      Digest.sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
