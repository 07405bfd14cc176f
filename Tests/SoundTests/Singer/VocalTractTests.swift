import DSP
import Foundation
import TestSupport
import Testing

@testable import Singer

@Suite struct VocalTractTests {
  static let rateHz = 48_000.0

  @Test(arguments: [Phone.a, .e, .i, .o, .u])
  func peaksLieAtTheFormants(vowel: Phone) throws {
    let shape = try #require(Voice.soprano.shape(of: vowel))
    let response = impulseResponse(voice: .soprano, shape: shape, count: 16_384)
    for lane in 0..<5 {
      let (hz, width) = (shape.frequenciesHz[lane], shape.bandwidthsHz[lane])
      let peak = stride(from: hz - width, through: hz + width, by: 2).max {
        gain(of: response, at: $0) < gain(of: response, at: $1)
      }!
      // The skirts of neighbours, which fall by 12 dB per octave, shift a peak by less than half
      // its width.
      #expect(abs(peak - hz) < width / 2, "F\(lane + 1)")
    }
  }

  @Test func gainIsOneAtZeroHertz() throws {
    let shape = try #require(Voice.bass.shape(of: .m))
    let response = impulseResponse(voice: .bass, shape: shape, count: 48_000)
    #expect(abs(response.reduce(0, +) - 1) < 1e-6)  // e^(-π·40) remains after 1 s
  }

  @Test func nasalsHaveAZeroAndVowelsHaveNone() throws {
    let nasal = try #require(Voice.tenor.shape(of: .m))
    let zeroHz = nasal.frequenciesHz[TractShape.nasalZero]
    let response = impulseResponse(voice: .tenor, shape: nasal, count: 16_384)
    let dip = stride(from: zeroHz - 100, through: zeroHz + 100, by: 5).min {
      gain(of: response, at: $0) < gain(of: response, at: $1)
    }!
    #expect(abs(dip - zeroHz) < 50)  // half the zero's bandwidth
    let oral = try #require(Voice.tenor.shape(of: .a))
    #expect(
      oral.frequenciesHz[TractShape.nasalZero] == oral.frequenciesHz[TractShape.nasalPole])
  }

  @Test func staysFiniteWhileEverythingMoves() throws {
    let shapes = Phone.allCases.compactMap { Voice.child.shape(of: $0) }
    var tract = VocalTract(voice: .child, shape: shapes[0], sampleRateHz: Self.rateHz)
    let noise = Noise(seed: 1, stream: 1)
    var peak = 0.0
    for frame in 0..<4_000 {
      tract.aim(at: shapes[frame * 7 % shapes.count], overSamples: 24)
      for i in 0..<24 { peak = max(peak, abs(tract.process(noise.pair(at: frame * 24 + i).0))) }
    }
    // The sharpest resonances have a Q of 50; two of them combined bound the gain.
    #expect(peak < 2_500)
  }

  @Test func restingCoefficientsDoNotDrift() throws {
    let shape = try #require(Voice.alto.shape(of: .i))
    var tract = VocalTract(voice: .alto, shape: shape, sampleRateHz: Self.rateHz)
    var fresh = VocalTract(voice: .alto, shape: shape, sampleRateHz: Self.rateHz)
    for _ in 0..<2_000 {
      tract.aim(at: shape, overSamples: 24)
      for _ in 0..<24 { _ = tract.process(0) }
    }
    tract.aim(at: shape, overSamples: 24)
    fresh.aim(at: shape, overSamples: 24)
    for i in 0..<24 {
      let input = i == 0 ? 1.0 : 0
      #expect(abs(tract.process(input) - fresh.process(input)) < 1e-9)
    }
  }

  private func impulseResponse(voice: Voice, shape: TractShape, count: Int) -> [Double] {
    var tract = VocalTract(voice: voice, shape: shape, sampleRateHz: Self.rateHz)
    tract.aim(at: shape, overSamples: 1)
    return (0..<count).map { tract.process($0 == 0 ? 1 : 0) }
  }

  private func gain(of response: [Double], at hz: Double) -> Double {
    spectralLine(of: response, hz: hz, sampleRateHz: Self.rateHz).magnitude
  }
}
