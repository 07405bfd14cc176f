import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct CorrelationInterpolatorTests {
  /// The correlation of partials is the sum of their powers' cosines, at any lag.
  @Test func aVowelsCorrelationIsKnownBetweenTheLags() {
    let rateHz = 8000.0
    let powers = [(554.37, 1.0), (2217.5, 0.36), (2771.9, 0.25), (3326.2, 0.16)]
    let whole = powers.map(\.1).reduce(0, +)
    func truth(_ lag: Double) -> Double {
      powers.map { $1 * cos(2 * .pi * $0 * lag / rateHz) }.reduce(0, +) / whole
    }
    let lags = RealtimeArray<Float>((0..<80).map { Float(truth(Double($0))) })
    let between = CorrelationInterpolator()
    for quarters in 4 * 4..<4 * 70 {
      let value = Double(between.value(lags, atQuarters: quarters))
      #expect(abs(value - truth(Double(quarters) / 4)) < 0.02, "at \(quarters) quarters")
    }
  }

  @Test func wholeLagsAreKept() {
    let lags = RealtimeArray<Float>((0..<40).map { Float($0 * $0) })
    let between = CorrelationInterpolator()
    for lag in 0..<30 { #expect(between.value(lags, atQuarters: 4 * lag) == Float(lag * lag)) }
  }
}
