import Foundation
import Testing

@testable import Analyzer

@Suite struct LogarithmsTests {
  /// The C library's logarithm is right within one unit in the last place, and so is ours.
  @Test func logarithmsAreThoseOfTheLibrary() {
    let spread = (-300..<300).map { exp(Double($0) * 2.1 + 0.01) }
    let nearOne = (0..<400).map { 0.6 + Double($0) / 400 }
    let numbers = spread + nearOne
    var fours = [SIMD4<Double>](numbers, padding: 1)
    takeLogarithms(of: &fours)
    for (number, found) in zip(numbers, fours.numbers(numbers.count)) {
      #expect(abs(found - log(number)) <= 2 * log(number).ulp, "\(number)")
    }
  }

  @Test func whatIsNotFiniteIsNotANumber() {
    var fours = [SIMD4<Double>(.infinity, .nan, -.infinity, 1)]
    takeLogarithms(of: &fours)
    #expect(fours[0][0].isNaN && fours[0][1].isNaN && fours[0][2].isNaN)
    #expect(fours[0][3] == 0)
  }
}
