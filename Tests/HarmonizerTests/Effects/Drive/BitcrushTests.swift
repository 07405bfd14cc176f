import Effects
import Testing

@Suite struct BitcrushTests {
  /// Three bits give eight steps of a quarter over ±1.
  @Test func roundsToLevels() throws {
    var settings = Bitcrush.Settings()
    (settings.bits, settings.rateHz) = (3, 192_000)
    let output = try StereoRun(settings).render([0, 0.1, 0.13, 0.3, -0.1, -0.13, 0.99, -1, 0.124])
    #expect(output == [0, 0, 0.25, 0.25, 0, -0.25, 1, -1, 0])
  }

  /// A quarter of the sample rate holds every fourth sample.
  @Test func holdsSamples() throws {
    var settings = Bitcrush.Settings()
    (settings.bits, settings.rateHz) = (24, 12_000)
    let input = noise(seconds: 0.01)
    let output = try StereoRun(settings).render(input)
    // Half a step of 24 bits.
    #expect(input.indices.allSatisfy { abs(output[$0] - input[$0 / 4 * 4]) <= 0x1p-24 })
  }

  /// One second contains as many values as the rate says, whatever its ratio to the sample rate.
  @Test(arguments: [441.0, 11_025, 47_999]) func rateIsExact(rateHz: Double) throws {
    var settings = Bitcrush.Settings()
    (settings.bits, settings.rateHz) = (24, rateHz)
    let output = try StereoRun(settings).render((0..<48_000).map { Float($0) / 48_000 })
    let values = 1 + zip(output, output.dropFirst()).count { $0 != $1 }
    #expect(abs(Double(values) - rateHz) <= 1)
  }

  /// The error never exceeds half a step of the shorter word length while the length changes.
  @Test func movingBitsStayWithinHalfAStep() throws {
    var (from, to) = (Bitcrush.Settings(), Bitcrush.Settings())
    (from.bits, from.rateHz) = (12, 192_000)
    (to.bits, to.rateHz) = (6, 192_000)
    let input = noise(seconds: 0.2)
    let output = try StereoRun(from).render(input, blockSize: 64) { link, start in
      if start == 4800 { link.apply(to) }
    }
    #expect(zip(input, output).allSatisfy { abs($0 - $1) <= 0x1p-6 })
    #expect(zip(input, output).prefix(4800).allSatisfy { abs($0 - $1) <= 0x1p-12 })
  }

  /// The error at 24 bits and the full rate is within half a step, -144 dB.
  @Test func finestSettingIsTransparent() throws {
    var settings = Bitcrush.Settings()
    (settings.bits, settings.rateHz) = (24, 192_000)
    let input = noise(seconds: 0.1)
    let output = try StereoRun(settings).render(input)
    #expect(zip(input, output).allSatisfy { abs($0 - $1) <= 0x1p-24 })
  }
}
