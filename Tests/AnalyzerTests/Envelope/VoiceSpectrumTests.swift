import Foundation
import Testing

@testable import Analyzer

@Suite struct VoiceSpectrumTests {
  private let model = VoiceModel(formantsHz: [430, 1730, 2510], scale: 1.1, f0Hz: 170)
  private let hz = [1.0, 170, 400, 433, 900, 1700, 2800, 5110, 8700]

  /// The formulas of the sources, part by part: a pair of poles for each resonance, and the pulse.
  @Test func levelsAreTheSumOfTheParts() {
    for (hz, found) in zip(hz, model.levelsDb(hz)) {
      let (x, y) = (hz / (170 * 1.25), hz / (170 * 8))
      let glottis = pow(1 - x * x, 2) + pow(0.85 * x, 2)
      var level = 10 * log10(x * x / glottis / (1 + y * y))
      for index in 0..<20 {
        let isFitted = index < VoiceModel.count
        let own = isFitted ? model.frequencyHz(index) : VoiceModel.tubeHz(index) * 1.1
        let quarter = pow(isFitted ? model.bandwidthHz(index) : 500, 2) / 4
        let (below, above) = (pow(hz - own, 2) + quarter, pow(hz + own, 2) + quarter)
        level += 20 * log10(own * own + quarter) - 10 * log10(below * above)
      }
      #expect(abs(found - level) < 1e-9, "\(hz) Hz")
    }
  }

  /// A central difference over 2e-5 errs by 2e-11 of the third derivative, which reaches 1e6 dB at
  /// narrow resonances.
  @Test func slopesAreThoseOfTheLevels() {
    let squares = VoiceSpectrum.squares(ofHz: hz)
    let factors = squares.map { _ in SIMD4<Double>(repeating: 0.5) }
    var slopes = [SIMD4<Double>](repeating: .zero, count: squares.count * VoiceSpectrum.slopeCount)
    VoiceSpectrum(model).writeSlopes(at: squares, times: factors, to: &slopes)
    for column in 0..<VoiceSpectrum.slopeCount {
      let parameter = VoiceSpectrum.parameter(ofSlope: column)
      var (more, less) = (model, model)
      more.values[parameter] += 1e-5
      less.values[parameter] -= 1e-5
      let (above, below) = (more.levelsDb(hz), less.levelsDb(hz))
      for i in hz.indices {
        let found = slopes[column * squares.count + i / 4][i % 4]
        let wanted = 0.5 * (above[i] - below[i]) / 2e-5
        #expect(abs(found - wanted) < 1e-4, "\(parameter), \(hz[i]) Hz")
      }
    }
  }
}
