import Effects
import Foundation
import Testing

@Suite struct StereoWidthTests {
  private let left = noise(seconds: 0.1, seed: 1)
  private let right = noise(seconds: 0.1, seed: 2)

  private func render(width: Double = 1, pan: Double = 0) throws -> Stereo {
    var settings = StereoWidth.Settings()
    (settings.width, settings.pan) = (width, pan)
    return try StereoRun(settings).render(Stereo(left, right))
  }

  @Test func keepsTheContract() throws {
    #expect(try EffectContract(StereoWidth.Settings()).findings() == [])
  }

  @Test func unityIsTheInputToTheBit() throws {
    let output = try render()
    #expect(output.left == left)
    #expect(output.right == right)
  }

  @Test(arguments: [0, 0.5, 1.7, 2])
  func scalesTheDifferenceAndKeepsTheSum(width: Double) throws {
    let output = try render(width: width)
    for i in left.indices {
      let (sum, difference) = (left[i] + right[i], left[i] - right[i])
      // Three roundings of samples up to 3.
      #expect(abs(output.left[i] + output.right[i] - sum) < 2e-6)
      #expect(abs(output.left[i] - output.right[i] - Float(width) * difference) < 2e-6)
    }
  }

  @Test func zeroIsMono() throws {
    let output = try render(width: 0)
    #expect(output.left == output.right)
  }

  /// Gains are a sine and a cosine with 0 dB in the centre; their squares always add up to 2.
  @Test(arguments: [
    (-1, 1.414_214, 0), (-0.5, 1.306_563, 0.541_196), (0.5, 0.541_196, 1.306_563),
    (1, 0, 1.414_214),
  ])
  func panKeepsThePower(pan: Double, leftGain: Double, rightGain: Double) throws {
    let output = try render(pan: pan)
    for i in left.indices {
      // The expected values have six digits.
      #expect(abs(Double(output.left[i]) - leftGain * Double(left[i])) < 1e-6)
      #expect(abs(Double(output.right[i]) - rightGain * Double(right[i])) < 1e-6)
    }
  }

  @Test func changesMakeNoClicks() throws {
    for change in try ChangeNoise(StereoWidth.Settings()).worst() {
      #expect(max(change.sweptDb, change.thrownDb) < -60, "\(change)")
    }
  }
}
